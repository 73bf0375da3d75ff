// How many objects of a list each object has: `count(photo.inMoment)`. Generated where a view asks for it.

package import Snapshots
public import WireFormat

/// Counts a list with `per:`: how many objects are in the list of each object that `per:` may name.
public struct ListCounts<Object: Model, Parent: Model>: Sendable {
  /// A list that is only counted: its sections are the parents, and their lengths the counts.
  package let list: ListDefinition<Object, Unsectioned>

  /// `parent` is nil where the object is not in the list.
  public init<Fields: ListFields>(
    _ name: String, parent: @escaping @Sendable (Fields, ListContext) -> ObjectID<Parent>?
  ) {
    list = ListDefinition(name, ListOrdering(sections: .bytes)) { (fields: Fields, context) in
      parent(fields, context).map(Self.place)
    }
  }

  /// Counts a list with `$now` or `$today` in its condition.
  public init<Fields: ListFields>(
    _ name: String, parent: @escaping @Sendable (Fields, ListContext, inout ListMoments) -> ObjectID<Parent>?
  ) {
    list = ListDefinition(name, ListOrdering(sections: .bytes)) { (fields: Fields, context, moments) in
      parent(fields, context, &moments).map(Self.place)
    }
  }

  private static func place(in parent: ObjectID<Parent>) -> ListPlace {
    ListPlace(section: section(of: parent), order: .number(0))
  }

  package static func section(of parent: ObjectID<Parent>) -> ListKey { .bytes(parent.rawValue.bytes) }
}
