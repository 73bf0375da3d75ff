// One user's photos on one device: the store, and the client that keeps it in sync.
import Foundation
import ModelRuntime

/// An app keeps one while somebody is signed in. Without a server everything works, and operations stay in the outbox.
public final class Device: Sendable {
  public let store: ModelStore
  /// The name that friends see beside this user's photos.
  public let name: String
  public let network = NetworkSwitch()
  public let client: SyncClient?

  /// Opens the store in `folder`. Pictures have two variants: a thumbnail, and one of a screen's size.
  public init(folder: URL, name: String, server: Server? = nil) throws {
    self.name = name
    let files = FileOptions(variants: ["thumbnail": Thumbnail.make, "screen": Thumbnail.screen])
    store = try ModelStore(at: folder, schema: MomentsSchema.self, user: Device.user(named: name), files: files)
    client = server.map { [store, network] in
      SyncClient(store: store, transport: SwitchedTransport(base: $0.transport, network: network))
    }
  }

  /// Syncs, and introduces the user in every moment, until it is cancelled.
  public func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let client { group.addTask { try await client.run() } }
      group.addTask { await self.introduceMyself() }
      group.addTask { await self.retryWhenBack() }
      // The first failure cancels the other tasks; `waitForAll` would wait for their end.
      for try await _ in group {}
    }
  }

  /// The user id that the server derives from a token with this name as its subject.
  public static func user(named name: String) -> UserID {
    UserID(subject: name, issuer: nil)
  }

  private func introduceMyself() async {
    let moments = store.list(Moment.everything)
    var known: Set<Moment.ID> = []
    for await update in moments.updates {
      for id in update.snapshot.ids where known.insert(id).inserted { introduceMyself(in: id) }
    }
  }

  /// Creates this user's member object in a moment, unless it exists. Others see its name beside photos.
  func introduceMyself(in moment: Moment.ID) {
    let me = Member(moment: moment, user: store.user, name: name)
    if (try? store.object(me.id)) == nil { store.create(me) }
  }

  private func retryWhenBack() async {
    for await mode in network.modes where mode != .offline { await client?.retry() }
  }
}

/// A modelserver, and the token of the user there.
public struct Server: Sendable {
  let transport: HTTPTransport

  public init(url: URL, tokenFile: URL) {
    transport = HTTPTransport(url: url) { _ in
      guard let token = try? String(contentsOf: tokenFile, encoding: .utf8) else {
        throw SyncError(.signedOut, "The file \(tokenFile.path) with the token cannot be read.")
      }
      let trimmed = token.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !trimmed.isEmpty else { throw SyncError(.signedOut, "The file \(tokenFile.path) with the token is empty.") }
      return trimmed
    }
  }
}
