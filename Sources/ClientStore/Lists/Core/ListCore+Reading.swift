// Reads a list from disk: first the objects that were at its ends when it was last open, then all.

import Determinism
import ModelTypes
import Snapshots
import WireFormat

extension ListCore {
  /// Starts a task that reads, unless there is nothing to read or a task is reading already.
  func startReading() {
    // While an operation is evaluated, this thread has the store's lock and must not wait for the list's. The task looks.
    guard store.memory.isHeldHere || isToBeRead else { return }
    let reader = ListReader(self)
    store.environment.spawn { reader.run() }
  }

  /// Reads all of the list in the calling thread, for a list that nobody else has. Throws the `StoreError` that keeps it
  /// from being read.
  func readNow() throws -> Snapshot {
    ListReader(self).run()
    if let error { throw error }
    return newestWithoutWaiting
  }
}

/// Fills a list from a scan. Stops when the list is gone.
private struct ListReader {
  private static let rowsBetweenLooks = 4_096
  private weak let list: ListCore?
  private let store: ModelStore
  private let source: ListSource

  init(_ list: ListCore) { (self.list, store, source) = (list, list.store, list.source) }

  func run() {
    var scope: ListScope?
    do {
      while list?.isToBeRead == true {
        if var following = list?.beginFollowing() {
          list?.show(&following, isAll: true)
          continue
        }
        let scan = try store.reader.scan()
        guard var reading = try list?.beginReading(scan), let part = reading.scope else { continue }
        scope = part
        try read(part, of: scan, into: &reading)
        scope = nil
      }
    } catch is CancellationError {
      // The list is gone.
    } catch {
      list?.failReading(StoreError(reading: error), of: scope)
    }
  }

  /// Reads in parts, so that the list can be looked at meanwhile. Each part is larger than all before it, because
  /// taking over a part costs as much as the list is long.
  private func read(_ scope: ListScope, of scan: StoreScan, into reading: inout ListReading) throws {
    var part = Part(source)
    let ends = reading.isFirst ? ListWindows(storeFolder: store.folder).ids(of: source.name) : []
    try scan.forEachObject(of: ends, type: source.type) { part.add($0, $1) }
    var size = part.found.isEmpty ? 1_000 : 64_000
    if !part.found.isEmpty { try take(&part, into: &reading) }
    var number = 0
    try scan.forEachObject(type: source.type, in: source.part(of: scope)) { head, content in
      part.add(head, content)
      number += 1
      if number % Self.rowsBetweenLooks == 0, list == nil { throw CancellationError() }
      guard part.found.count >= size else { return }
      try take(&part, into: &reading)
      size *= 4
    }
    reading.take(part.takeAll())
    reading.end()
    list?.show(&reading, isAll: true)
  }

  private func take(_ part: inout Part, into reading: inout ListReading) throws {
    reading.take(part.takeAll())
    guard let list else { throw CancellationError() }
    list.show(&reading, isAll: false)
  }

  private struct Part {
    let source: ListSource
    private(set) var found: [ListReading.Found] = []
    private var context: ListContext

    init(_ source: ListSource) { (self.source, context) = (source, source.context) }

    mutating func add(_ head: StoreScan.Head, _ content: UnsafeRawBufferPointer) {
      guard let place = source.place(head, content, &context) else { return }
      found.append(ListReading.Found(row: source.rows.row(for: RowID(head.id)), queue: head.queue, place: place))
    }

    mutating func takeAll() -> [ListReading.Found] {
      defer { found.removeAll(keepingCapacity: true) }
      return found
    }
  }
}
