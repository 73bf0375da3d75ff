// The way to the server, as a value: HTTP in an app, an in-memory network in a simulation.

public import WireFormat

/// Carries one body to the server and its answer back. It knows nothing of what they say.
public protocol Transport: Sendable {
  /// Posts a JSON body to the GraphQL route and returns the answer, whatever its status.
  ///
  /// Throws where no answer came: no connection, no token, or the time was up. Ends early where its task is cancelled.
  /// A `SyncError` that it throws stands in the status as it is.
  func post(_ body: [UInt8], timeoutMilliseconds: Int64) async throws -> TransportAnswer

  /// Gets a new token, after the server has refused the one that was sent. Throws where there is none for now.
  func refreshCredentials() async throws
}

/// An answer, from the server or from something in between.
public struct TransportAnswer: Hashable, Sendable {
  /// Of HTTP.
  public var status: Int
  /// The header `Sync-Protocol-Version`; nil where the answer is not of this protocol's server.
  public var protocolVersion: String?
  /// The header `Sync-Server`: which database it was that answered; nil where the server does not say so.
  public var server: UUIDValue?
  /// The header `Sync-History`: the history of that database; nil where the server does not say so.
  public var history: UUIDValue?
  /// The header `Retry-After`.
  public var retryAfterSeconds: Int64?
  /// All of it: JSON, or the part of a file that was asked for.
  public var body: [UInt8]

  public init(
    status: Int, protocolVersion: String?, server: UUIDValue? = nil, history: UUIDValue? = nil,
    retryAfterSeconds: Int64? = nil, body: [UInt8]
  ) {
    self.status = status
    self.protocolVersion = protocolVersion
    self.server = server
    self.history = history
    self.retryAfterSeconds = retryAfterSeconds
    self.body = body
  }
}
