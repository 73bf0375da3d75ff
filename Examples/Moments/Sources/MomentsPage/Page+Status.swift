// Routes about the state of sync: the network switch, operations that wait and why, and operations that failed.
import FlyingFox
import Foundation
import ModelRuntime
import Moments

extension Page {
  func addStatusRoutes(to routes: inout RoutedHTTPHandler) {
    routes.appendRoute("POST /network/:mode") { [self] request in
      guard let mode = request.routeParameters["mode"].flatMap({ NetworkMode(rawValue: $0) }) else {
        throw PageError.absent
      }
      device.network.set(mode)
      return .json(await status())
    }
    routes.appendRoute("GET /waiting") { [self] _ in .json(waiting()) }
    routes.appendRoute("GET /failed") { [self] _ in
      .json(
        store.failedOperations.map {
          FailedRow(id: $0.id, deed: deed($0), why: $0.reason.words, at: $0.performedAt, canRetry: $0.canRetry)
        })
    }
    routes.appendRoute("GET /refusals") { [self] _ in .json(try await refusals.current()) }
    routes.appendRoute("POST /retry") { [self] _ in
      await device.client?.retry()
      return .json(Empty())
    }
    routes.appendRoute("POST /failed/:id/retry") { [self] request in
      try await store.retry(failed(request))
      return .json(Empty())
    }
    routes.appendRoute("POST /failed/:id/dismiss") { [self] request in
      try await store.dismiss(failed(request))
      return .json(Empty())
    }
  }

  private func failed(_ request: HTTPRequest) throws -> FailedOperation {
    let id = request.routeParameters["id"]
    guard let failed = store.failedOperations.first(where: { $0.id.description == id }) else { throw PageError.absent }
    return failed
  }

  func status() async -> Status {
    let sync = await device.client?.status
    return Status(
      user: device.name, network: device.network.mode, activity: sync.map { "\($0.activity)" } ?? "no server",
      problem: sync?.problem?.message, pending: sync?.pendingOperations ?? 0,
      failedOperations: store.failedOperations.count,
      unread: unread.snapshot.count, refused: (try? await refusals.current().count) ?? 0,
      files: Files(store.files.progress))
  }

  /// The first hundred operations of the outbox, because nobody reads a list of 100,000.
  private func waiting() -> [Waiting] {
    let offline = device.network.mode == .offline
    return store.pendingOperations.prefix(100).map {
      Waiting($0, deed($0), isOffline: offline, files: store.files.progress)
    }
  }
}

struct Status: Encodable {
  var user: String
  var network: NetworkMode
  var activity: String
  var problem: String?
  var pending: Int
  var failedOperations: Int
  var unread: Int
  /// Pictures that the server does not take, or that this device cannot send.
  var refused: Int
  var files: Files
}

struct Files: Encodable {
  var uploads: Int
  var bytes: Int64
  var sent: Int64
  var downloads: Int
  var failed: Int

  init(_ progress: FileProgress) {
    (uploads, bytes, sent) = (progress.uploads, progress.uploadBytes, progress.sentBytes)
    (downloads, failed) = (progress.downloads, progress.failed)
  }
}

/// An operation in the outbox, and why it has not arrived.
struct Waiting: Encodable {
  var id: OperationID
  var deed: Deed
  var since: Timestamp
  var why: String

  init(_ item: PendingOperation, _ deed: Deed, isOffline: Bool, files: FileProgress) {
    (id, self.deed, since) = (item.id, deed, item.performedAt)
    why =
      switch item.state {
      case .performed: "It is being saved on this device."
      case _ where isOffline: "This device is offline. It is saved, and goes as soon as the network is back."
      case .saved where !item.files.isEmpty && files.failed > 0:
        "It goes when its pictures are on the server; \(files.failed) cannot go up now."
      case .saved where !item.files.isEmpty && files.uploads > 0:
        "It goes when its pictures are on the server; \(files.uploads) are still to go up."
      case .saved: "It is saved, and waits for its turn to be sent."
      case .sent: "It was sent; the server's answer is awaited."
      case .confirmed: "It has arrived."
      case .failed(let error): error.words
      }
  }
}

/// Something that did not happen, and why.
struct FailedRow: Encodable {
  var id: OperationID
  var deed: Deed
  var why: String
  var at: Timestamp
  var canRetry: Bool
}

extension FileStatus {
  var text: String {
    switch self {
    case .local: "Only on this device."
    case .uploading(let sent, let of): "Going to the server: \(of == 0 ? 100 : sent * 100 / of) %."
    case .uploaded: "On this device and on the server."
    case .downloading(let received, let of): "Coming from the server: \(of == 0 ? 100 : received * 100 / of) %."
    case .remote: "On the server, not on this device."
    case .failed(let error): error.refusal.map { "\($0.reason) \($0.remedy)" } ?? error.message
    }
  }
}
