// Oracles of the server's folder of files. They know the bytes of every file, because its name is their hash.

import Crypto
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// Reports a file that the server says it has and whose bytes are gone or wrong. Asked when the server starts, when
  /// upkeep has ended, and at the end.
  func filesAreWhole() {
    for place in world.server.referee.filePlaces {
      guard let bytes = world.server.folder.whole(place) else {
        return report("a file is gone: \(place.words) is said to be there")
      }
      isRight(bytes, as: place)
    }
  }

  /// Downloads every file as a member, and reports wrong bytes.
  func filesAreServed() throws {
    let queues = world.server.history.state.queues
    for place in world.server.referee.filePlaces {
      guard let member = queues[place.queue]?.members.keys.min() else { continue }
      isRight(try world.server.download(place, by: member), as: place)
      world.count("files read at the end")
    }
  }

  /// Reports an operation that requires a file and was done without it.
  func fileIsThere(_ operation: Performed, _ outcome: OperationOutcome, in queue: QueueID) {
    guard let file = operation.file, outcome.status.isDone else { return }
    let place = FileKey(queue: queue, hash: file)
    world.count("operations done that require a file")
    guard let bytes = world.server.folder.whole(place) else {
      return report("done without its file: \(operation.name), \(place.words)")
    }
    isRight(bytes, as: place)
  }

  /// Reports bytes of a file that are not those of its name.
  func isRight(_ bytes: [UInt8], as place: FileKey) {
    if !isFile(bytes, place) { report("a file with other bytes than its name says: \(place.words)") }
  }

  /// Reports bytes that the server throws away as wrong, although they are those of the name.
  func isWrong(_ bytes: [UInt8], as place: FileKey) {
    if isFile(bytes, place) { report("the right bytes are refused: \(place.words)") }
  }

  private func isFile(_ bytes: [UInt8], _ place: FileKey) -> Bool {
    Array(SHA256.hash(data: bytes)) == place.hash.bytes
  }

  /// Reports bytes that are written in the wrong place. `count` is the size of the part so far; nil if there is none.
  func bytesAreTaken(_ bytes: [UInt8], of place: FileKey, at offset: Int64, of count: Int?) {
    if case .file(let file)? = ServedRequest.current?.call, !file.isSpoilt {
      let expected = world.files.bytes[place.hash]?.dropFirst(Int(offset)).prefix(bytes.count) ?? []
      if !expected.elementsEqual(bytes) { report("bytes in a place that is not theirs: \(place.words) at \(offset)") }
    }
    if let count, offset > count { report("an upload with a hole: \(place.words) at \(offset) of \(count)") }
    world.server.referee.noteBytes()
  }
}
