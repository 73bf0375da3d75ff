// Counts for views: how many objects of a list belong to each parent object.

import ModelTypes
import Snapshots
import WireFormat

/// An open list whose objects are counted. It stays open as long as a view counts them.
final class ChildCounts: Sendable {
  let core: ListCore

  init(_ core: ListCore) { self.core = core }

  static func count(of parent: ListKey, in snapshot: Snapshot) -> Int {
    snapshot.sectionNumber(parent).map { snapshot.positions(ofSection: $0).count } ?? 0
  }
}

/// The counted lists that are open. All views of a store share them; this table does not keep them open.
struct OpenCounts {
  private var byName: [String: WeakCounts] = [:]

  private struct WeakCounts { weak var counts: ChildCounts? }

  subscript(name: String) -> ChildCounts? {
    get { byName[name]?.counts }
    set {
      byName = byName.filter { $0.value.counts != nil }
      byName[name] = WeakCounts(counts: newValue)
    }
  }
}

extension ModelStore {
  func counts<Object: Model, Parent: Model>(_ counted: ListCounts<Object, Parent>) -> ChildCounts {
    let name = counted.list.name
    if let open = openCounts.withLock({ $0[name] }) { return open }
    let source = ListSource(counted.list, self, calendar: .current, keepsEnds: false)
    let counts = ChildCounts(ListCore(self, source, counted.list.layout, limit: nil))
    return openCounts.withLock { open in
      if let other = open[name] { return other }
      open[name] = counts
      return counts
    }
  }
}
