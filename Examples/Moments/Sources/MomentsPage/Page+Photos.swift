// Routes about photos: the grid, one photo, its picture, and actions of the user.
import FlyingFox
import Foundation
import ModelRuntime
import Moments

extension Page {
  func addPhotoRoutes(to routes: inout RoutedHTTPHandler) {
    routes.appendRoute("GET /grid/:list/layout") { [self] in .json(try grid($0).layout) }
    routes.appendRoute("GET /grid/:list/rows") { [self] in .json(try grid($0).window(positions($0, most: 1_000))) }
    routes.appendRoute("GET /grid/:list/ids") { [self] in .json(try grid($0).ids(positions($0, most: 10_000_000))) }
    routes.appendRoute("GET /grid/:list/position/:id") { [self] request in
      let photo = request.routeParameters["id"].flatMap(Photo.ID.init)
      let grid = try grid(request)
      return .json(GridPosition(position: photo.flatMap(grid.position)))
    }
    routes.appendRoute("GET /photo/:id") { [self] in .json(try photoPage($0)) }
    routes.appendRoute("POST /photo/:id/:action") { [self] request in
      try await perform(request)
      return .json(try photoPage(request))
    }
    routes.appendRoute("GET /thumbnail/:id") { [self] in try await picture($0, variant: "thumbnail") }
    routes.appendRoute("GET /picture/:id") { [self] in try await picture($0) }
  }

  /// The grid that a request names: `timeline`, or the id of a moment, whose list it opens.
  func grid(_ request: HTTPRequest) throws -> any PhotoGrid {
    let name = request.routeParameters["list"] ?? request.query["list"]
    if name == "timeline" { return timeline }
    guard let moment = name.flatMap({ Moment.ID($0) }) else { throw PageError.absent }
    return photos(in: moment)
  }

  private func positions(_ request: HTTPRequest, most: Int) throws -> Range<Int> {
    guard let from = request.query["from"].flatMap({ Int($0) }), from >= 0,
      let count = request.query["count"].flatMap({ Int($0) }), (1...most).contains(count), from < Int.max - count
    else { throw PageError(.badRequest, "This needs from= and count=, of at most \(most).") }
    return from..<from + count
  }

  func photo(_ id: String?) throws -> Photo {
    guard let id = id.flatMap({ Photo.ID($0) }), let photo = try store.object(id) else { throw PageError.absent }
    return photo
  }

  private func photoPage(_ request: HTTPRequest) throws -> PhotoPage {
    let photo = try photo(request.routeParameters["id"])
    guard let view = try store.view(Photo.Page.self, of: photo.id) else { throw PageError.absent }
    return PhotoPage(
      photo: view, isPending: store.isPending(photo.id),
      isLiked: photo.likedBy.contains(store.user),
      isRefused: Refusal(photo, in: store.files) != nil,
      file: (device.client == nil ? .local : store.files.status(of: photo.file, in: photo.queueID)).text)
  }

  private func perform(_ request: HTTPRequest) async throws {
    let id = try photo(request.routeParameters["id"]).id
    let text = try await request.json(ActionBody.self).text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    switch request.routeParameters["action"] {
    case "like": store.perform(Photo.Like(id))
    case "unlike": store.perform(Photo.Unlike(id))
    case "hide": try device.hide(id)
    case "show": try device.hide(id, false)
    case "caption":
      try check(text, "caption", maximum: 2_000)
      store.perform(Photo.Rename(id, caption: text.isEmpty ? nil : text))
    case "tag" where !text.isEmpty:
      try check(text, "tag", maximum: 100)
      store.perform(Photo.Label(id, tag: text))
    case "date": try correctDate(of: id, to: text)
    case "untag": store.perform(Photo.Unlabel(id, tag: text))
    default: throw PageError.absent
    }
  }

  /// The picture from this device, or else from the server.
  private func picture(_ request: HTTPRequest, variant: String? = nil) async throws -> HTTPResponse {
    let photo = try photo(request.routeParameters["id"])
    if variant == "thumbnail", photo.file.mime.hasPrefix("video/") { return Self.film }
    let variant = variant ?? shownVariant(of: photo)
    let file = try await within(seconds: 20) { [store] in
      guard let variant else { return try await store.files.read(photo.file, in: photo.queueID) }
      return try await store.files.read(photo.file, in: photo.queueID, variant: variant)
    }
    return try response(file, type: contentType(of: photo, variant: variant), to: request)
  }
}

struct PhotoPage: Encodable {
  var photo: Photo.Page
  var isPending: Bool
  var isLiked: Bool
  /// Whether the picture is only on this device, and does not go up by itself.
  var isRefused: Bool
  var file: String
}

struct ActionBody: Decodable {
  var text: String?
}

/// Throws after `seconds`, because the file may still be on a device that is offline.
private func within<Result: Sendable>(
  seconds: Int, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: .seconds(seconds))
      throw PageError(.gatewayTimeout, "The picture is not on this device, and has not come yet.")
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}
