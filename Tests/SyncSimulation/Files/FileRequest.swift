// A request for a file, on its way between an uploader and the server's route.

import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// What `HEAD`, `PATCH` and `POST` of `/files/{queue}/{hash}` say.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class FileRequest: @unchecked Sendable {
  let place: FilePlace
  let call: Call
  /// The connection is gone: what has not come never comes.
  var isBroken = false
  private var finish: ((FileAnswer) -> Void)?

  enum Call {
    case state
    case part(FilePartBody)
    /// Of the file of another queue.
    case copy(from: UUIDValue)
  }

  struct Broken: Error {}

  init(_ place: FilePlace, _ call: Call, _ finish: @escaping (FileAnswer) -> Void) {
    (self.place, self.call, self.finish) = (place, call, finish)
  }

  /// At most once.
  func end(_ answer: FileAnswer) {
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

enum FileAnswer: Equatable {
  /// How far the file has come.
  case arrived(Int64, isComplete: Bool)
  case elsewhere(Int64)
  case refused(RequestError.Code)
  /// None, or one that tells of a failure.
  case trouble
}
