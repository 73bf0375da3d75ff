// Records which files an object names. The server keeps a file as long as an object names it
// (docs/formats/sync-server.md, "Files").

import SyncProtocol
import WireFormat

extension QueueCommit {
  /// Records the files that a live object names. `waited` are files that its operation has waited for: they are
  /// recorded under tag 0, and stay as long as the object.
  mutating func write(_ object: ObjectChanges.Live, _ waited: [ContentHash]) {
    if !waited.isEmpty { work.write(.references(to: waited, from: object.id, tag: 0)) }
    for field in object.files {
      if object.replacesFiles { work.write(.noReferences(from: object.id, tag: field.tag)) }
      work.write(.references(to: field.hashes, from: object.id, tag: field.tag))
    }
  }
}

extension OperationChanges {
  /// Whether a mutation names few enough files.
  var isWithinFileLimits: Bool {
    files.count + namedFiles <= ProtocolLimits.files && fileReferences <= ProtocolLimits.fileReferences
  }

  /// The rows that the server stores at most for the files of a mutation: one for each awaited file and each object, so
  /// that a few bytes can make many rows.
  var fileReferences: Int { files.count * objects.count + namedFiles }

  private var namedFiles: Int { objects.reduce(0) { $0 + $1.files.reduce(0) { $0 + $1.hashes.count } } }
}
