// Lists that are filtered and ordered by what a view shows: the answers of other objects.

public import SyncProtocol
public import WireFormat

/// A list of children that a list of their parents asks about.
public struct AskedChildren: Sendable {
  /// Asks once, so that the source knows the list.
  package let ask: @Sendable (any ViewSource) throws -> Void
}

extension ChildList {
  /// The list without its types.
  public var asked: AskedChildren { AskedChildren { _ = try $0.answer(.count, of: .zero, in: self) } }
}

extension ListContext: ViewSource {
  public func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object? { try source.object(id) }

  public func systemFields<Object: Model>(of id: ObjectID<Object>?) throws -> SystemFields? {
    try source.systemFields(of: id)
  }

  public func answer<Object: Model, Parent: Model>(
    _ question: ChildQuestion, of id: ObjectID<Parent>, in list: ChildList<Object, Parent>
  ) throws -> ChildAnswer {
    try source.answer(question, of: id, in: list)
  }

  public func own<Object: Model>(
    in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>
  ) -> ObjectID<Object> {
    source.own(in: queue, make)
  }

  private var source: any ViewSource {
    guard let others else { preconditionFailure("a list that asks about other objects says so in its definition") }
    return others
  }
}
