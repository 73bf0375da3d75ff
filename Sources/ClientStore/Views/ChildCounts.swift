// How many objects of a list belong to each parent object, for views: a list whose sections are the parents.

import ModelTypes
import Snapshots
import WireFormat

enum ChildCounts {
  static func count(of parent: ListKey, in snapshot: Snapshot) -> Int {
    snapshot.sectionNumber(parent).map { snapshot.positions(ofSection: $0).count } ?? 0
  }
}

extension ModelStore {
  /// The count of one parent, for a view that no list follows: as an open list has it, else read now.
  func count<Object: Model, Parent: Model>(
    _ counted: ListCounts<Object, Parent>, of parent: ObjectID<Parent>
  ) throws -> Int {
    let section = ListCounts<Object, Parent>.section(of: parent)
    if let open = completeList(counted.list, .current) { return ChildCounts.count(of: section, in: open.snapshot) }
    let list = ListCore(self, counted.list(of: parent), .current, key: nil)
    return ChildCounts.count(of: section, in: try list.readNow())
  }
}
