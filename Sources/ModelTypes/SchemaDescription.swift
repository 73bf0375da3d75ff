// The registry of a schema, as a store or an inspector sees it.

package import SyncProtocol
public import WireFormat

/// All models of one schema; generated as `MomentsSchema` and the like.
public protocol SchemaDescription: Sendable {
  /// The `schema` of `modelgen.yaml`, such as `Moments`. It never changes: stores and queues belong to it.
  static var name: String { get }
  /// The newest release that the schema stands on, such as `1.4`, and `1.4+` if it has changed since; empty before the
  /// first release. A server counts who uses which version.
  static var version: String { get }
  /// In the order of their names.
  static var models: [any Model.Type] { get }
  /// The operations of the schema; operations written by hand may be missing.
  static var operations: [any ModelOperation.Type] { get }
}

extension SchemaDescription {
  /// Empty, for a schema without releases.
  public static var version: String { "" }

  /// Empty, for a schema without operations.
  public static var operations: [any ModelOperation.Type] { [] }

  /// The version as requests name it.
  package static var schemaVersion: SchemaVersion? { SchemaVersion(version) }

  /// The queue that holds the memberships of a user in the app of this schema. Every device derives its id, without a
  /// server.
  public static func homeQueueID(of user: UserID) -> QueueID {
    SyncID.homeQueue(ofUser: user, schema: name)
  }

  /// The model whose objects carry this type name.
  public static func model(named name: String) -> (any Model.Type)? {
    models.first { $0.modelName == name }
  }
}
