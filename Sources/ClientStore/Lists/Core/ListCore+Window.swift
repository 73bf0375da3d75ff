// Saves which objects are at the ends of an open list, for the first screen of the next process.

import Determinism
import Snapshots
import WireFormat

extension ListCore {
  /// Saves the ends two seconds after the list has changed.
  func rememberWindow(_ snapshot: Snapshot) {
    guard isShared, snapshot.isComplete, window.withLock({ $0.begin(snapshot.layoutRevision) }) else { return }
    store.environment.spawn { [weak self, environment = store.environment] in
      try? await environment.sleep(milliseconds: 2_000)
      self?.saveWindow()
    }
  }

  func saveWindow() {
    let snapshot = newestWithoutWaiting
    window.withLock { $0.end(snapshot.layoutRevision) }
    let count = min(snapshot.count, ListWindows.maximumCount)
    let last = max(count, snapshot.count - ListWindows.maximumCount)
    let ids = [0..<count, last..<snapshot.count].joined().map { position in
      UUIDValue(snapshot.layout.rows.id(of: snapshot.row(at: position)))
    }
    ListWindows(storeFolder: store.folder).save(ids, of: source.name)
  }
}

/// The state of a list that was saved last, and whether a task waits to save another one.
struct SavedWindow {
  private var layoutRevision: UInt64?
  private var isWaiting = false

  mutating func begin(_ revision: UInt64) -> Bool {
    guard !isWaiting, revision != layoutRevision else { return false }
    isWaiting = true
    return true
  }

  mutating func end(_ revision: UInt64) { (layoutRevision, isWaiting) = (revision, false) }
}
