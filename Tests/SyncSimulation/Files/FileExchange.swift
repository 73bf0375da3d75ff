// A request about a file, on its way between a device and the server's route.

import ClientSync
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// A `HEAD`, `PATCH`, `GET` or `POST` of `/files/{queue}/{hash}`, and the callback that waits for its answer.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class FileExchange: @unchecked Sendable {
  let place: FileKey
  var call: Call
  /// The connection is gone: bytes that have not arrived never will.
  var isBroken = false
  private var finish: ((Result<FileAnswer, any Error>) -> Void)?

  enum Call {
    case state
    case part(FilePartBody)
    case range(Range<Int64>)
    /// Copies the file of another queue.
    case copy(from: QueueID)
  }

  struct Broken: Error {}

  init(_ place: FileKey, _ call: Call, _ finish: @escaping (Result<FileAnswer, any Error>) -> Void) {
    (self.place, self.call, self.finish) = (place, call, finish)
  }

  /// Calls back with the answer, at most once; without one the connection has broken.
  func end(_ answer: FileAnswer?) {
    let finish = finish
    close()
    finish?(answer.map { .success($0) } ?? .failure(SimulatedNetwork.Broken()))
  }

  /// Drops the callback, because nobody waits any more, and breaks the connection.
  func close() { (isBroken, finish) = (true, nil) }

  var isOpen: Bool { finish != nil }
}

/// A part of a file, as it is sent.
struct FilePartBody {
  var offset: Int64
  var bytes: [UInt8]
  var isLast: Bool
  /// The bytes were changed on the way.
  var isSpoilt = false
  /// Only this many bytes arrive before the connection breaks; nil if all do.
  var cutAfter: Int?
}

/// An answer of the server's route.
enum FileReply: Equatable {
  /// The server has this many bytes of the file.
  case arrived(Int64, isComplete: Bool)
  case elsewhere(Int64)
  /// A range of a file that has `of` bytes.
  case bytes([UInt8], of: Int64)
  /// The range begins behind the end of the file, which has this many bytes.
  case unsatisfiable(Int64)
  case refused(RequestError.Code)
  /// The server failed, so the connection breaks.
  case trouble
}

extension FileReply {
  /// The answer as it goes over the wire, without the server's identity and history; nil if the connection breaks.
  var answer: FileAnswer? {
    switch self {
    case .arrived(let offset, let isComplete): FileAnswer(Self.head(204), offset: offset, isComplete: isComplete)
    case .elsewhere(let offset): FileAnswer(Interference.refusal(.offsetMismatch), offset: offset)
    case .bytes(let bytes, let size): FileAnswer(Self.head(206, bytes), total: size)
    case .unsatisfiable(let size): FileAnswer(Interference.refusal(.rangeNotSatisfiable), total: size)
    case .refused(let code): FileAnswer(Interference.refusal(code))
    case .trouble: nil
    }
  }

  private static func head(_ status: Int, _ body: [UInt8] = []) -> TransportAnswer {
    TransportAnswer(status: status, protocolVersion: "1", body: body)
  }
}
