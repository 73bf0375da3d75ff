// A change of a schema, as generated code: the versions of the schema, and what the table of changes says.

import ClientStore
import Foundation
import ModelTypes
import WireFormat

/// The versions of a fixture, and what the table says that its change breaks.
struct ChangeCase: Sendable {
  /// The rule of a fixture, or `mutant` and a seed.
  var name: String
  /// The rules of the changes that were found.
  var rules: [String]
  var isBreaking: Bool
  var breaks: Set<String>
  /// New names of fields and cases by their old ones, as `was:` says.
  var renames: [String: String]
  /// Fields that are read from older ones.
  var converted: Set<String>
  /// Releases, ascending, then the version of today.
  var versions: [Version]
}

/// One version of a schema.
struct Version: Sendable {
  var name: String
  var schema: any SchemaDescription.Type
  var models: [VersionedModel]
  var operations: [VersionedOperation]
}

/// An object as bytes, with the id that stands beside them.
struct Record: Hashable, Sendable {
  var id: UUIDValue
  var blob: [UInt8]
}

/// What an app of one version reads from a record.
struct Reading: Sendable {
  /// Each field as JSON, by name.
  var fields: [String: String]
  /// The record as this version writes it again.
  var record: Record
  var queue: String
  /// The id that is derived from the values; nil where ids are random.
  var identity: String?
}

/// A generated model.
struct VersionedModel: Sendable {
  let name: String
  let access: String
  /// A record of a fixture, or one without any field.
  let sample: @Sendable (UInt64?) throws -> Record
  let read: @Sendable (Record) throws -> Reading
  let create: @Sendable (ModelStore, UInt64) -> Record?
  /// An object of a store; nil where there is none.
  let stored: @Sendable (ModelStore, UUIDValue) throws -> Record?

  init<Object: Model>(
    _: Object.Type, fixture: @escaping @Sendable (UInt64) -> Object,
    identity: (@Sendable (Object) -> ObjectID<Object>)?
  ) {
    name = Object.modelName
    access = "\(Object.objectAccess)"
    sample = { seed in
      guard let seed else { return Record(id: UUIDValue(high: 0x4000, low: 1 << 63), blob: []) }
      let object = fixture(seed)
      return Record(id: object.id.rawValue, blob: try object.encoded())
    }
    read = { record in
      let object = try Object(id: ObjectID(record.id), blob: record.blob)
      return Reading(
        fields: try fieldTexts(of: object), record: Record(id: record.id, blob: try object.encoded()),
        queue: "\(object.queueID?.description ?? "none")", identity: identity.map { "\($0(object))" })
    }
    create = { store, seed in
      let object = fixture(seed)
      store.create(object)
      return (try? object.encoded()).map { Record(id: object.id.rawValue, blob: $0) }
    }
    stored = { store, id in
      try store.object(ObjectID<Object>(id)).map { Record(id: id, blob: try $0.encoded()) }
    }
  }
}

/// A generated operation with values in its parameters.
struct VersionedOperation: Sendable {
  let name: String
  /// Performs it on an object, and returns its parameters.
  let perform: @Sendable (ModelStore, UUIDValue) throws -> [String: String]
  /// The parameters of a failed operation, as this version reads them; nil where it cannot.
  let read: @Sendable (FailedOperation) throws -> [String: String]?

  init<Target: Model, Operation: ModelOperation & Sendable>(
    perform: @escaping @Sendable (ObjectID<Target>) -> Operation,
    read: @escaping @Sendable (FailedOperation) -> Operation?
  ) {
    name = Operation.operationName
    self.perform = { store, target in
      let operation = perform(ObjectID(target))
      store.perform(operation)
      return try parameterTexts(of: operation)
    }
    self.read = { failed in try read(failed).map(parameterTexts) }
  }
}

private func fieldTexts(of object: some Encodable) throws -> [String: String] {
  let encoder = JSONEncoder()
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  let json = try JSONSerialization.jsonObject(with: encoder.encode(object))
  return try (json as? [String: Any] ?? [:]).mapValues { value in
    let data = try JSONSerialization.data(withJSONObject: [value], options: .sortedKeys)
    return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
  }
}

private func parameterTexts(of operation: some FieldTabled) throws -> [String: String] {
  try fieldTexts(of: Parameters(operation: operation))
}

/// The parameters of an operation, as JSON.
private struct Parameters<Operation: FieldTabled>: Encodable {
  let operation: Operation

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldKey.self)
    try operation.encodeFields(into: &container)
  }
}
