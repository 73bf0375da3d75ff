// How many objects of a list each object has: `count(photo.inMoment)`. Generated where a view asks for it.

package import Snapshots
public import WireFormat

/// A list with `per:` as numbers: for each object that `per:` may name, how many are in its list.
public struct ListCounts<Object: Model, Parent: Model>: Sendable {
  /// A list that nobody draws: its sections are the parents, and their lengths the counts.
  package let list: ListDefinition<Object, Unsectioned>

  /// `parent` is nil where the object is not in the list.
  public init<Fields: ListFields>(
    _ name: String, parent: @escaping @Sendable (Fields, ListContext) -> ObjectID<Parent>?
  ) {
    list = ListDefinition(name, ListOrdering(sections: .bytes)) { (fields: Fields, context) in
      parent(fields, context).map { ListPlace(section: Self.section(of: $0), order: .number(0)) }
    }
  }

  package static func section(of parent: ObjectID<Parent>) -> ListKey { .bytes(parent.rawValue.bytes) }
}
