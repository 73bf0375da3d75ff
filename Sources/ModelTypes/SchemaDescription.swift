// The registry of a schema, as a store or an inspector sees it.

/// All models of one schema; generated as `MomentsSchema` and the like.
public protocol SchemaDescription: Sendable {
  static var name: String { get }
  /// In the order of their names.
  static var models: [any Model.Type] { get }
  /// The operations of the schema; operations written by hand may be missing.
  static var operations: [any ModelOperation.Type] { get }
}

extension SchemaDescription {
  public static var operations: [any ModelOperation.Type] { [] }

  /// The model whose objects carry this type name.
  public static func model(named name: String) -> (any Model.Type)? {
    models.first { $0.modelName == name }
  }
}
