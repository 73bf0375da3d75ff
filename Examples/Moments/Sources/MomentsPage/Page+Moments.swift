// Routes about moments: the list, sharing, and the notifications that sharing brings.
import FlyingFox
import Foundation
import ModelRuntime
import Moments

extension Page {
  func addMomentRoutes(to routes: inout RoutedHTTPHandler) {
    routes.appendRoute("GET /moments") { [self] _ in .json(try rows(of: moments)) }
    routes.appendRoute("GET /moment/:id") { [self] in .json(try momentPage($0)) }
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
      let user = user(named: friend)
      guard user != store.user else {
        throw PageError(.badRequest, "\(friend) is your own name. Sharing needs the name of somebody else.")
      }
      return .json(try device.share(photos, with: user, inMomentTitled: title))
    }
  }

  private func momentPage(_ request: HTTPRequest) throws -> MomentPage {
    guard let id = request.routeParameters["id"].flatMap({ Moment.ID($0) }), let moment = try store.object(id) else {
      throw PageError.absent
    }
    let members = try store.objects(Member.self).filter { $0.moment == id }
    let recipients = Set(try store.objects(MomentNotification.self).filter { $0.moment == id }.map(\.recipient))
    let others = members.filter { $0.user != store.user }
    return MomentPage(
      title: moment.title, isPending: store.isPending(id), members: others.map(\.name).sorted(),
      invited: recipients.subtracting(members.map(\.user)).subtracting([store.user])
        .map { name(of: $0) ?? "somebody" }.sorted())
  }

  private func rows<View: EncodableView>(of list: ViewList<View, Unsectioned>) throws -> [ListRow<View>] {
    try list.list.snapshot.ids.compactMap { id in
      try list.view(id).map { ListRow(view: $0, isPending: store.isPending(id)) }
    }
  }
}

struct ListRow<View: EncodableView>: Encodable {
  var view: View
  var isPending: Bool
}

/// A moment as its page shows it. `members` and `invited` are names of other people: who has opened the moment, and who
/// has not yet.
struct MomentPage: Encodable {
  var title: String
  var isPending: Bool
  var members: [String]
  var invited: [String]
}

struct ShareBody: Decodable {
  var photos: [String]
  /// A user's name or id.
  var friend: String
  var title: String
}

struct Empty: Encodable {}
