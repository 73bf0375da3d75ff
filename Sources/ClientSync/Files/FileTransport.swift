// Carries files to the server and back: URLSession in an app, an in-memory network in a simulation.

public import ClientStore
public import SyncProtocol
public import WireFormat

/// Carries requests about files. A request moves one part of one file. After a lost request the client asks how much
/// has arrived. A request is cancelled only when its task is.
public protocol FileTransport: Sendable {
  /// Sends a request of `/files/{queue}/{sha256}` (docs/formats/sync-protocol.md, "Files") and returns the answer,
  /// whatever its status. Throws if no answer came: no connection, no token, or the time was up. Throws a `FileError`
  /// if the part cannot be read.
  func send(_ request: FileRequest) async throws -> FileAnswer

  /// Gets a new token after the server has refused the last one. Throws if there is none for now.
  func refreshCredentials() async throws
}

/// One request about a file.
public struct FileRequest: Sendable {
  /// The queue and the hash, as the route names them.
  public var file: FileKey
  /// The HTTP method of the request, with what it sends or asks for.
  public var call: Call
  /// How long nothing may come or go; after that `send` throws, or returns what has come of a range.
  public var timeoutMilliseconds: Int64

  /// The calls of a file's route, by their HTTP methods.
  public enum Call: Sendable {
    /// HEAD: asks how much of the file the server has.
    case state
    /// PATCH: sends a part that begins at the server's offset; the last part completes the file. The slice is nil if no
    /// bytes are left to send.
    case part(FileSlice?, offset: Int64, isLast: Bool)
    /// GET: fetches a range of bytes.
    case range(Range<Int64>)
    /// POST: has the server copy the file from another queue.
    case copy(from: QueueID)
  }
}

/// An answer about a file, from the server or from something in between.
public struct FileAnswer: Hashable, Sendable {
  /// The parts that all routes answer. For a range, the body has the bytes of that range.
  public var answer: TransportAnswer
  /// The header `Upload-Offset`: how many bytes of the file the server has.
  public var offset: Int64?
  /// The header `Upload-Complete`.
  public var isComplete: Bool
  /// For a range: the size of the whole file, from the header `Content-Range`.
  public var total: Int64?

  /// For a transport of your own, and for tests.
  public init(_ answer: TransportAnswer, offset: Int64? = nil, isComplete: Bool = false, total: Int64? = nil) {
    self.answer = answer
    self.offset = offset
    self.isComplete = isComplete
    self.total = total
  }
}
