// A request for a file, on its way between a device and the server's route.

import ClientSync
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// What `HEAD`, `PATCH`, `GET` and `POST` of `/files/{queue}/{hash}` say.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class FileExchange: @unchecked Sendable {
  let place: FilePlace
  var call: Call
  /// The connection is gone: what has not come never comes.
  var isBroken = false
  private var finish: ((Result<FileAnswer, any Error>) -> Void)?

  enum Call {
    case state
    case part(FilePartBody)
    case range(Range<Int64>)
    /// Of the file of another queue.
    case copy(from: UUIDValue)
  }

  struct Broken: Error {}

  init(_ place: FilePlace, _ call: Call, _ finish: @escaping (Result<FileAnswer, any Error>) -> Void) {
    (self.place, self.call, self.finish) = (place, call, finish)
  }

  /// At most once.
  func end(_ answer: Result<FileAnswer, any Error>) {
    let finish = finish
    close()
    finish?(answer)
  }

  /// Nobody waits any more.
  func close() { (isBroken, finish) = (true, nil) }

  var isOpen: Bool { finish != nil }
}

/// A part of a file, as it is sent.
struct FilePartBody {
  var offset: Int64
  var bytes: [UInt8]
  var isLast: Bool
  /// Not the bytes of the file.
  var isSpoilt = false
  /// So many of the bytes arrive, and then the connection breaks.
  var cutAfter: Int?
}

/// What the server's route answers.
enum FileReply: Equatable {
  /// How far the file has come.
  case arrived(Int64, isComplete: Bool)
  case elsewhere(Int64)
  /// A part of a file that has so many bytes.
  case bytes([UInt8], of: Int64)
  /// The file has no more bytes than these.
  case unsatisfiable(Int64)
  case refused(RequestError.Code)
  /// None, or one that tells of a failure.
  case trouble
}

extension FileReply {
  /// As it goes over the wire, but for the server's names; nil where the connection breaks.
  var answer: FileAnswer? {
    switch self {
    case .arrived(let offset, let isComplete): FileAnswer(Self.head(204), offset: offset, isComplete: isComplete)
    case .elsewhere(let offset): FileAnswer(Self.refusal(.offsetMismatch), offset: offset)
    case .bytes(let bytes, let size): FileAnswer(Self.head(206, bytes), total: size)
    case .unsatisfiable(let size): FileAnswer(Self.refusal(.rangeNotSatisfiable), total: size)
    case .refused(let code): FileAnswer(Self.refusal(code))
    case .trouble: nil
    }
  }

  static func refusal(_ code: RequestError.Code, retryAfter: Int64? = nil) -> TransportAnswer {
    let body = "{\"errors\":[{\"message\":\"no\",\"extensions\":{\"code\":\"\(code.rawValue)\"}}]}"
    return TransportAnswer(
      status: code.status, protocolVersion: "1", retryAfterSeconds: retryAfter, body: Array(body.utf8))
  }

  private static func head(_ status: Int, _ body: [UInt8] = []) -> TransportAnswer {
    TransportAnswer(status: status, protocolVersion: "1", body: body)
  }
}
