// Collects batches from several sources and publishes snapshots of the list to one consumer.

/// Takes batches from several sources, and decides which snapshot the consumer is shown, and when. It does no I/O and
/// never waits: each source reads by itself, and hands over a batch when it has one. A batch is taken as a whole.
///
/// There are two kinds of batches. A **loaded** batch was true when its source began to read, so it only adds rows of
/// which nothing newer is known. An **applied** batch is news, and always counts. Every batch is merged into `newest`
/// at once, and only the rows that it names are looked at. So nothing is lost while the consumer holds: `publish` then
/// gives the newest state, and the changes since the snapshot that the consumer saw last.
public struct Accumulator: Sendable {
  /// The name of a place from which objects are loaded.
  public typealias Source = String

  /// A snapshot for the consumer to show, and the changes that lead to it.
  public struct Publication: Sendable {
    public var snapshot: Snapshot
    /// The changes since the previous publication.
    public var changes: SnapshotChanges
  }

  /// The snapshot that the consumer was shown last.
  public private(set) var published: Snapshot
  /// The newest state, shown or not.
  public private(set) var newest: Snapshot
  /// The sources that have not finished loading.
  public private(set) var loading: Set<Source>
  private var holds = 0
  /// Rows that applied batches have removed during loading. A loaded batch may still bring an older state of them,
  /// which is ignored.
  private var removed: Set<UInt32> = []
  /// The changes since `published` if a single batch has made them; otherwise nil.
  private var changes: SnapshotChanges?

  /// The list is complete once all `sources` have finished.
  public init(_ layout: ListLayout, loadingFrom sources: Set<Source>) {
    loading = sources
    newest = Snapshot(layout)
    newest.isComplete = sources.isEmpty
    published = newest
  }

  /// Whether every source has finished. The consumer learns of it by `isComplete` of the next published snapshot.
  public var isComplete: Bool { loading.isEmpty }
  /// Whether the consumer holds, so that `publish` gives nothing.
  public var isHeld: Bool { holds > 0 }

  /// Adds the objects that a source has found. Rows that the list already has stay as they are. The batch may have puts
  /// only, best in the list's order; rows that are shown first should be loaded before the rest. Traps if the source
  /// has finished.
  public mutating func load(_ batch: SnapshotBatch, from source: Source) {
    precondition(loading.contains(source), "\(source) has finished, or was never named")
    var batch = batch
    if !removed.isEmpty { batch.operations.removeAll { removed.contains($0.row) } }
    merge(batch, keepingPresent: true)
  }

  /// Notes that a source has handed over everything. The list is complete after the last one.
  public mutating func finish(_ source: Source) {
    loading.remove(source)
    guard loading.isEmpty else { return }
    removed = []
    newest.isComplete = true
  }

  /// Applies changes that the user has made or a delta has brought.
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

  /// Publishes nothing, for example while the consumer scrolls, until `release` was called as often as `hold`.
  public mutating func hold() { holds += 1 }

  /// Ends one `hold`. Traps if there is none.
  public mutating func release() {
    precondition(holds > 0, "there is no hold to release")
    holds -= 1
  }

  /// Returns the newest snapshot and notes it as published. Nil if nothing is new, or if the consumer holds.
  public mutating func publish() -> Publication? {
    let isNew = newest.revision != published.revision || newest.isComplete != published.isComplete
    guard holds == 0, isNew else { return nil }
    let changes = self.changes ?? newest.difference(from: published)
    self.changes = nil
    published = newest
    return Publication(snapshot: newest, changes: changes)
  }
}
