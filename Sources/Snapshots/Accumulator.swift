// From batches of several sources to the snapshots that a consumer sees.

/// Takes batches as they come and decides what the consumer is shown, and when. It waits for nobody: sources read where
/// they read from, each on its own, and hand over a batch when they have one. A batch is taken whole or not at all.
///
/// Two kinds of batches: what is **loaded** was true when its source began to read, so it only adds rows of which nothing
/// newer is known; what is **applied** is news and always counts. Every batch is merged at once, into the state that has
/// everything, and only what it brings is looked at. So nothing is lost while the consumer holds: `publish` gives it the
/// newest state afterwards, and the changes since what it saw last.
public struct Accumulator: Sendable {
  /// The name of a place from which objects are loaded.
  public typealias Source = String

  /// The snapshot that the consumer shows next.
  public struct Publication: Sendable {
    public var snapshot: Snapshot
    /// Since the publication before.
    public var changes: SnapshotChanges
  }

  /// The snapshot that the consumer was shown last.
  public private(set) var published: Snapshot
  /// All that is known, shown or not.
  public private(set) var newest: Snapshot
  /// From which of its sources the list is still being loaded.
  public private(set) var loading: Set<Source>
  private var holds = 0
  /// Rows that news took out while an older state of them may still be loaded.
  private var removed: Set<UInt32> = []
  /// The changes since `published` while one batch made all of them.
  private var changes: SnapshotChanges?

  /// `sources` are those whose loading makes the list complete.
  public init(_ layout: ListLayout, loadingFrom sources: Set<Source>) {
    loading = sources
    newest = Snapshot(layout)
    newest.isComplete = sources.isEmpty
    published = newest
  }

  /// Whether every source has loaded all that it has. What the consumer sees says so in its snapshot.
  public var isComplete: Bool { loading.isEmpty }
  /// Whether `publish` gives nothing until `release`.
  public var isHeld: Bool { holds > 0 }

  /// Objects as a source found them, best in the list's order and what is shown first before the rest. The batch only
  /// puts.
  public mutating func load(_ batch: SnapshotBatch, from source: Source) {
    precondition(loading.contains(source), "\(source) has finished, or was never named")
    var batch = batch
    if !removed.isEmpty { batch.operations.removeAll { removed.contains($0.row) } }
    merge(batch, keepingPresent: true)
  }

  /// A source has handed over all that it has.
  public mutating func finish(_ source: Source) {
    loading.remove(source)
    guard loading.isEmpty else { return }
    removed = []
    newest.isComplete = true
  }

  /// Takes in changes of objects: a user's, or those of a delta.
  public mutating func apply(_ batch: SnapshotBatch) {
    if !loading.isEmpty {
      for operation in batch.operations {
        switch operation.kind {
        case .remove: removed.insert(operation.row)
        case .put: removed.remove(operation.row)
        case .update: break
        }
      }
    }
    merge(batch, keepingPresent: false)
  }

  private mutating func merge(_ batch: SnapshotBatch, keepingPresent: Bool) {
    let isFirst = newest.revision == published.revision
    let (next, made) = newest.applying(batch, keepingPresent: keepingPresent)
    guard next.revision != newest.revision else { return }
    changes = isFirst ? made : nil
    newest = next
  }

  /// The consumer is scrolling: it is shown nothing new until it has released as often as it has held.
  public mutating func hold() { holds += 1 }

  /// Ends one `hold`, which there must be.
  public mutating func release() {
    precondition(holds > 0, "there is no hold to release")
    holds -= 1
  }

  /// The snapshot to be shown now; nil where nothing is new, or the consumer holds.
  public mutating func publish() -> Publication? {
    let isNew = newest.revision != published.revision || newest.isComplete != published.isComplete
    guard holds == 0, isNew else { return nil }
    let changes = self.changes ?? newest.difference(from: published)
    self.changes = nil
    published = newest
    return Publication(snapshot: newest, changes: changes)
  }
}
