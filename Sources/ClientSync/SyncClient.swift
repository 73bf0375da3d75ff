// Keeps a store and a server in step.

public import ClientStore

/// Sends what the user did, and brings what others did, for as long as it runs.
///
/// One client a store: a second one waits until the first has ended, also in another process.
public actor SyncClient {
  private let store: ModelStore
  private let transport: any Transport

  public init(store: ModelStore, transport: any Transport) {
    self.store = store
    self.transport = transport
  }

  /// Syncs until its task is cancelled. No failure of the network or the server ends it; one of the store does.
  public func run() async throws {}

  /// Syncs once: sends what can be sent, fetches what there is, and returns. Throws where the server was not reached.
  public func syncOnce() async throws {}

  /// Lets requests under way come to their end and begins no others.
  public func pause() {}

  public func resume() {}
}
