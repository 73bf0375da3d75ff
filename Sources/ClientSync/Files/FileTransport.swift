// The way of files to the server and back, as a value: URLSession in an app, an in-memory network in a simulation.

public import ClientStore
public import SyncProtocol
public import WireFormat

/// Carries requests about files. A request moves one part of one file and is small enough to be lost: what has arrived is
/// asked for afterwards. It is never cancelled but with its task.
public protocol FileTransport: Sendable {
  /// Sends a request of `/files/{queue}/{sha256}` (docs/formats/sync-protocol.md, "Files") and returns the answer, whatever
  /// its status. Throws where none came: no connection, no token, or the time was up; a `FileError` where the part cannot be
  /// read.
  func send(_ request: FileRequest) async throws -> FileAnswer

  /// Gets a new token, after the server has refused the one that was sent. Throws where there is none for now.
  func refreshCredentials() async throws
}

/// One request about a file.
public struct FileRequest: Sendable {
  public var place: FilePlace
  public var call: Call
  /// How long the answer may take; after that `send` throws.
  public var timeoutMilliseconds: Int64

  /// The calls of a file's route, by their HTTP methods.
  public enum Call: Sendable {
    /// HEAD: how much has come.
    case state
    /// PATCH: a part that begins where the server is; the last one ends the file. Nil for the end of an empty file.
    case part(FileSlice?, offset: Int64, isLast: Bool)
    /// GET of a range.
    case range(Range<Int64>)
    /// POST: the server takes the bytes from another queue.
    case copy(from: UUIDValue)
  }
}

/// An answer, from the server or from something in between.
public struct FileAnswer: Hashable, Sendable {
  /// As of every route; the body of an answer to a range is that part of the file.
  public var answer: TransportAnswer
  /// The header `Upload-Offset`: what of the file is on the server.
  public var offset: Int64?
  /// The header `Upload-Complete`.
  public var isComplete: Bool
  /// Of a range: the size of the whole file, from `Content-Range`.
  public var total: Int64?

  public init(_ answer: TransportAnswer, offset: Int64? = nil, isComplete: Bool = false, total: Int64? = nil) {
    self.answer = answer
    self.offset = offset
    self.isComplete = isComplete
    self.total = total
  }
}
