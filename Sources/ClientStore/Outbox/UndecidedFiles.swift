// Files whose upload waits until an operation that names them is applied, because the server may collect a file that
// nothing names.

import SyncProtocol
import WireFormat

/// The files that operations without an outcome name, and how often they do.
struct UndecidedFiles {
  private var counts: [FileKey: Int] = [:]
  /// Places whose answer from `contains` may have changed since `takeChanged`.
  private var changed: Set<FileKey> = []

  func contains(_ place: FileKey) -> Bool { counts[place] != nil }

  mutating func takeChanged() -> Set<FileKey> {
    defer { changed = [] }
    return changed
  }

  mutating func add(_ operation: OutboxEntry) { count(operation, 1) }
  mutating func remove(_ operation: OutboxEntry) { count(operation, -1) }

  private mutating func count(_ operation: OutboxEntry, _ sign: Int) {
    guard operation.outcome == nil, let queue = operation.queue else { return }
    for change in operation.changes.objects where !change.files.isEmpty {
      for hash in change.files.flatMap(\.hashes) {
        let place = FileKey(queue: queue, hash: hash)
        let count = counts[place, default: 0] + sign
        counts[place] = count > 0 ? count : nil
        if count == 0 || count == sign { changed.insert(place) }
      }
    }
  }
}
