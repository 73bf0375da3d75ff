// The objects of a list that belong to one object each, such as the messages of a room: `count(message.inRoom)`.
// Generated where a view asks about them.

public import Snapshots
public import WireFormat

/// A list with `per:`, for all objects at once that `per:` may name. The objects that belong to one of them are its
/// children in this list. They are sorted by one value, or by none where they are only counted.
public struct ChildList<Object: Model, Parent: Model>: Sendable {
  /// Its sections are the parents.
  package let list: ListDefinition<Object, Unsectioned>
  /// Whether each parent is a queue, and what belongs to it is in that queue.
  package let perQueue: Bool

  /// `child` is nil where the object is not in the list. `perQueue`: each parent is a queue, and its children are in that
  /// queue.
  public init<Fields: ListFields>(
    _ name: String, perQueue: Bool = false, order: ListLayout.Order = .numbers,
    child: @escaping @Sendable (Fields, ListContext) -> Child<Parent>?
  ) {
    self.perQueue = perQueue
    list = ListDefinition(name, ListOrdering(sections: .bytes, order: order)) { (fields: Fields, context) in
      child(fields, context)?.place
    }
  }

  /// For a list with `$now` or `$today` in its condition.
  public init<Fields: ListFields>(
    _ name: String, perQueue: Bool = false, order: ListLayout.Order = .numbers,
    child: @escaping @Sendable (Fields, ListContext, inout ListMoments) -> Child<Parent>?
  ) {
    self.perQueue = perQueue
    list = ListDefinition(name, ListOrdering(sections: .bytes, order: order)) { (fields: Fields, context, moments) in
      child(fields, context, &moments)?.place
    }
  }

  /// The list for one parent: only its queue is read, where it is one.
  package func list(of parent: ObjectID<Parent>) -> ListDefinition<Object, Unsectioned> {
    perQueue ? list.reading(only: QueueID(parent.rawValue)) : list
  }

  package static func section(of parent: ObjectID<Parent>) -> ListKey { Child(of: parent).place.section }
}

/// An object as the child of another.
public struct Child<Parent: Model> {
  let place: ListPlace

  /// `key` is what the children of one parent are sorted by.
  public init(of parent: ObjectID<Parent>, by key: ListKey = .number(0)) {
    place = ListPlace(section: .bytes(parent.rawValue.bytes), order: key)
  }

  /// A child that is added up; nil counts for nothing.
  public init(of parent: ObjectID<Parent>, adding number: (some BinaryInteger)?) {
    self.init(of: parent, by: .ascending(number.map { Int64(truncatingIfNeeded: $0) }))
  }
}
