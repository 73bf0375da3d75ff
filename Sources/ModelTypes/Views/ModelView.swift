// The values that a row shows, derived from an object and the objects that it names. Generated from `views:`.

public import SyncProtocol
public import WireFormat

/// An immutable value made of an object and of others that its references name.
///
/// Two are equal if they show the same. A row is drawn again only if its view has changed.
public protocol ModelView: Hashable, Sendable, Identifiable where ID == ObjectID<Object> {
  /// The model of the object that the view shows; the view has the same id.
  associatedtype Object: Model

  /// Reads from the source what the view shows besides the object's own fields.
  init(of object: Object, from source: some ViewSource) throws
}

/// The objects that a view is derived from, as the user sees them now. The source notes which of them are asked for.
public protocol ViewSource {
  var user: UserID { get }
  /// Those of the object that the view shows.
  var system: SystemFields { get }

  /// The object; nil if it is not there, or there is no id.
  func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object?

  /// What the server notes of an object; nil if it is not there, or there is no id.
  func systemFields<Object: Model>(of id: ObjectID<Object>?) throws -> SystemFields?

  /// Answers a question about the children of an object.
  func answer<Object: Model, Parent: Model>(
    _ question: ChildQuestion, of id: ObjectID<Parent>, in list: ChildList<Object, Parent>
  ) throws -> ChildAnswer

  /// The id of the user's own object in a queue, derived by `make`. A source may keep it.
  func own<Object: Model>(
    in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>
  ) -> ObjectID<Object>
}
