// Carries requests to the server and back: HTTP in an app, an in-memory network in a simulation.

public import WireFormat

/// Carries a request's body to the server and its answer back, without reading either.
public protocol SyncTransport: Sendable {
  /// Posts a JSON body to the GraphQL route and returns the answer, whatever its status.
  ///
  /// `timeoutMilliseconds`: how long nothing may come or go. `didMove`: to be called, from any thread, when bytes have
  /// come or gone; without it the status shows a slow request as offline. A slow answer may take any time as long as
  /// bytes come. Of an answer that breaks off it returns what has come, with `isWhole` false. Throws if no answer came:
  /// no connection, no token, or the time was up. Ends early if its task is cancelled. The status shows a `SyncError`
  /// that it throws as it is.
  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer

  /// Gets a new token after the server has refused the last one. Throws if there is none for now.
  func refreshCredentials() async throws
}

extension SyncTransport {
  /// Posts a body, for a caller that shows no progress.
  public func post(_ body: [UInt8], timeoutMilliseconds: Int64) async throws -> TransportAnswer {
    try await post(body, timeoutMilliseconds: timeoutMilliseconds, didMove: {})
  }
}

/// An answer, from the server or from something in between.
public struct TransportAnswer: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// The header `Sync-Protocol-Version`; nil where the answer is not of this protocol's server.
  public var protocolVersion: String?
  /// The header `Sync-Server`: the id of the database that answered; nil without the header.
  public var server: ServerID?
  /// The header `Sync-History`: the history of that database; nil without the header.
  public var history: HistoryID?
  /// The header `Sync-Oldest-Writer`: the oldest version of the schema whose apps may send changes; nil without it.
  public var oldestWriter: String?
  /// The header `Retry-After`.
  public var retryAfterSeconds: Int64?
  /// The body: JSON, or the part of a file that was asked for.
  public var body: [UInt8]
  /// False if the connection broke off before the end of the body.
  public var isWhole: Bool

  /// For a transport of your own, and for tests.
  public init(
    status: Int, protocolVersion: String?, server: ServerID? = nil, history: HistoryID? = nil,
    oldestWriter: String? = nil, retryAfterSeconds: Int64? = nil, body: [UInt8], isWhole: Bool = true
  ) {
    self.status = status
    self.protocolVersion = protocolVersion
    self.server = server
    self.history = history
    self.oldestWriter = oldestWriter
    self.retryAfterSeconds = retryAfterSeconds
    self.body = body
    self.isWhole = isWhole
  }
}
