// Which files an object names: what the server keeps them for (docs/formats/sync-protocol.md, "Files").

import SyncProtocol
import WireFormat

extension QueueCommit {
  /// Notes the files that a live object names. `waited` are those that its operation has waited for: they stand under tag
  /// 0 and stay with the object.
  func write(_ object: ObjectChanges.Live, _ waited: [ContentHash]) throws(Rejection) {
    let (transaction, queue) = (transaction, request.queue)
    try Rejection.storing {
      if !waited.isEmpty { try transaction.refer(to: waited, from: object.id, tag: 0, in: queue) }
      for field in object.files {
        if object.replacesFiles { try transaction.removeReferences(from: object.id, tag: field.tag, in: queue) }
        try transaction.refer(to: field.hashes, from: object.id, tag: field.tag, in: queue)
      }
    }
  }
}

extension OperationChanges {
  /// Whether the server takes so many files of one mutation. It notes each file that the mutation waits for, for each of
  /// its objects: few bytes could make many rows.
  var isWithinFileLimits: Bool {
    let named = objects.reduce(0) { $0 + $1.files.reduce(0) { $0 + $1.hashes.count } }
    return files.count + named <= ProtocolLimits.files
      && files.count * objects.count + named <= ProtocolLimits.fileReferences
  }
}
