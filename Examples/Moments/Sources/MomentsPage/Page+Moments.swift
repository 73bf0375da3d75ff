// Routes about moments: the list, sharing, and the notifications that sharing brings.
import FlyingFox
import Foundation
import ModelRuntime
import Moments

extension Page {
  func addMomentRoutes(to routes: inout RoutedHTTPHandler) {
    routes.appendRoute("GET /moments") { [self] _ in .json(try rows(of: moments)) }
    routes.appendRoute("GET /suggestions") { [self] _ in .json(try await device.suggestions()) }
    routes.appendRoute("GET /friends") { [self] _ in .json(try rows(of: friends)) }
    routes.appendRoute("GET /notifications") { [self] _ in .json(try rows(of: inbox)) }
    routes.appendRoute("POST /notifications/read") { [self] _ in
      store.perform(contentsOf: unread.snapshot.ids.map { MomentNotification.MarkRead($0) })
      return .json(Empty())
    }
    routes.appendRoute("POST /share") { [self] request in
      let share = try await request.json(ShareBody.self)
      let friend = share.friend.trimmingCharacters(in: .whitespaces)
      let title = share.title.trimmingCharacters(in: .whitespaces)
      guard !friend.isEmpty, !title.isEmpty, !share.photos.isEmpty else {
        throw PageError(.badRequest, "Sharing needs photos, a friend and the title of a moment.")
      }
      try check(title, "title", maximum: 200)
      let photos = try share.photos.map { try photo($0).id }
      let user = UserID(friend) ?? Device.user(named: friend)
      return .json(try device.share(photos, with: user, inMomentTitled: title))
    }
  }

  private func rows<View: EncodableView>(of list: ViewList<View, Unsectioned>) throws -> [ListRow<View>] {
    try list.list.snapshot.ids.compactMap { id in
      try list.view(id).map { ListRow(view: $0, isPending: list.list.isPending(id)) }
    }
  }
}

struct ListRow<View: EncodableView>: Encodable {
  var view: View
  var isPending: Bool
}

struct ShareBody: Decodable {
  var photos: [String]
  /// A user's name or id.
  var friend: String
  var title: String
}

struct Empty: Encodable {}
