// The screen of the app: a page on this machine's loopback, served from a device's store.
import FlyingFox
import FlyingSocks
import Foundation
import ModelRuntime
import Moments
import Synchronization

/// Serves one device's page to browsers that have its address, which contains a token.
public final class PageServer: Sendable {
  private let server: HTTPServer
  private let port: UInt16
  private let token: PageToken

  /// Port 0 takes a free one, or the one that `file` keeps from the last start. Other machines cannot connect, because
  /// the page listens on 127.0.0.1 only. The file has the token too: a page that is open finds the server again.
  public init(_ device: Device, port: UInt16 = 0, addressKeptIn file: URL? = nil) async throws {
    let address = try PageAddress.address(port: port, keptIn: file)
    var routes = RoutedHTTPHandler()
    let page = Page(device)
    page.addPhotoRoutes(to: &routes)
    page.addMomentRoutes(to: &routes)
    page.addStatusRoutes(to: &routes)
    page.addEventRoute(to: &routes)
    try StaticFiles().addRoutes(to: &routes)
    (self.port, token) = (address.port, address.token)
    server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: address.port), timeout: 60,
      pool: PromptPool(base: HTTPServer.defaultPool()),
      logger: .disabled,
      handler: PageGuard(token: token, next: ErrorAnswers(next: routes)))
  }

  /// Serves until it is cancelled. Throws a `PortError` if it cannot listen.
  public func run() async throws {
    // FlyingFox serves for ever if its task was cancelled before it begins.
    try Task.checkCancellation()
    do { try await server.run() } catch let error as SocketError {
      if Task.isCancelled { throw CancellationError() }
      throw PortError(port, error)
    }
  }

  /// The address for a browser. Waits until the page is served.
  public var address: String {
    get async throws {
      try await server.waitUntilListening()
      guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
      return "http://127.0.0.1:\(port)/?token=\(token.text)"
    }
  }
}

/// The reason why the page cannot listen.
public struct PortError: LocalizedError {
  public let errorDescription: String?

  init(_ port: UInt16, _ error: SocketError) {
    errorDescription =
      switch error {
      case .failed(_, EADDRINUSE, _): "Port \(port) is in use; name another one, or 0 for one that is free."
      case .failed(_, EACCES, _): "You may not use port \(port); name one above 1023, or 0 for one that is free."
      default: "The page cannot be served on port \(port): \(error.localizedDescription)"
      }
  }
}

/// The open lists that the routes of one device's page share.
final class Page: Sendable {
  let device: Device
  let timeline: ViewList<Photo.Cell, CalendarDay>
  let moments: ViewList<Moment.Card, Unsectioned>
  let inbox: ViewList<MomentNotification.Line, Unsectioned>
  let unread: ListHandle<MomentNotification, Unsectioned>
  let friends: ViewList<Member.Friend, Unsectioned>
  let refusals: Refusals

  /// The names that the user has shared with since the start. A friend's own device says the name again, later.
  private let typedNames = Mutex<[UserID: String]>([:])

  /// The eight moments that were viewed last, the newest first. Their lists stay open, because another list would have
  /// other revisions than the page knows.
  private let opened = Mutex<[(moment: Moment.ID, photos: ViewList<Photo.Cell, Unsectioned>)]>([])

  var store: ModelStore { device.store }

  init(_ device: Device) {
    self.device = device
    // Photos keep the time of a clock where they were taken, as if in UTC.
    let calendar = ListCalendar(timeZone: .gmt)
    timeline = device.store.list(Photo.timeline, as: Photo.Cell.self, calendar: calendar)
    moments = device.store.list(Moment.shared, as: Moment.Card.self)
    inbox = device.store.list(MomentNotification.inbox, as: MomentNotification.Line.self)
    unread = device.store.list(MomentNotification.unread)
    friends = device.store.list(Member.friends, as: Member.Friend.self)
    refusals = Refusals(device.store)
  }

  func photos(in moment: Moment.ID) -> ViewList<Photo.Cell, Unsectioned> {
    opened.withLock { opened in
      let known = opened.firstIndex { $0.moment == moment }.map { opened.remove(at: $0) }
      let list = known ?? (moment, store.list(Photo.inMoment(moment: moment), as: Photo.Cell.self))
      opened = [list] + opened.prefix(7)
      return list.photos
    }
  }

  /// The user that a friend's name, or id, stands for.
  func user(named name: String) -> UserID {
    let user = UserID(name) ?? Device.user(named: name)
    typedNames.withLock { $0[user] = name }
    return user
  }

  /// What to call a user; nil for somebody whose name this device has not heard of.
  func name(of user: UserID) -> String? {
    let member = (try? store.objects(Member.self))?.first { $0.user == user }
    return member?.name ?? typedNames.withLock { $0[user] }
  }
}
