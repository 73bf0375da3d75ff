// How many objects of a list each object has: `count(photo.inMoment)`. Generated where a view asks for it.

package import Snapshots
public import WireFormat

/// Counts a list with `per:`: how many objects are in the list of each object that `per:` may name.
public struct ListCounts<Object: Model, Parent: Model>: Sendable {
  /// A list that is only counted: its sections are the parents, and their lengths the counts.
  package let list: ListDefinition<Object, Unsectioned>
  /// Whether each parent is a queue, and what belongs to it is in that queue.
  package let perQueue: Bool

  /// `parent` is nil where the object is not in the list. `perQueue`: each parent is a queue, and what belongs to it is
  /// in that queue.
  public init<Fields: ListFields>(
    _ name: String, perQueue: Bool = false, parent: @escaping @Sendable (Fields, ListContext) -> ObjectID<Parent>?
  ) {
    self.perQueue = perQueue
    list = ListDefinition(name, ListOrdering(sections: .bytes)) { (fields: Fields, context) in
      parent(fields, context).map(Self.place)
    }
  }

  /// Counts a list with `$now` or `$today` in its condition.
  public init<Fields: ListFields>(
    _ name: String, perQueue: Bool = false,
    parent: @escaping @Sendable (Fields, ListContext, inout ListMoments) -> ObjectID<Parent>?
  ) {
    self.perQueue = perQueue
    list = ListDefinition(name, ListOrdering(sections: .bytes)) { (fields: Fields, context, moments) in
      parent(fields, context, &moments).map(Self.place)
    }
  }

  /// The list for one parent: only its queue is read, where it is one.
  package func list(of parent: ObjectID<Parent>) -> ListDefinition<Object, Unsectioned> {
    perQueue ? list.reading(only: QueueID(parent.rawValue)) : list
  }

  private static func place(in parent: ObjectID<Parent>) -> ListPlace {
    ListPlace(section: section(of: parent), order: .number(0))
  }

  package static func section(of parent: ObjectID<Parent>) -> ListKey { .bytes(parent.rawValue.bytes) }
}
