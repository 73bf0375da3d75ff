// One of many versions of a schema, as generated code, and the functions that its conversions name.

import Foundation
import ModelTypes
import TestSupport
import WireFormat

/// A version of the schema with a history (Tests/EvolutionGenerator/SchemaHistory.swift).
struct HistoryVersion: Sendable {
  let version: Version
  /// The tags of the model's fields, by name.
  let tags: [String: Int]
  /// Fields that an app of this version writes.
  let writable: [String]
  /// Gives a field of an object the value that it has in a fixture.
  let edit: @Sendable (_ record: Record, _ field: String, _ seed: UInt64) throws -> Edit

  struct Edit {
    var patch: Patch
    /// What this version reads of the field behind it.
    var value: String?
  }

  var model: VersionedModel { version.models[0] }

  init<Object: Model>(
    _ version: Version, tags: [String: Int], fixture: @escaping @Sendable (UInt64) -> Object,
    edits: [String: @Sendable (inout Object, Object) -> Void]
  ) {
    self.version = version
    self.tags = tags
    writable = edits.keys.sorted()
    let model = version.models[0]
    edit = { record, field, seed in
      let before = try Object(id: ObjectID(record.id), blob: record.blob)
      var after = before
      edits[field]?(&after, fixture(seed))
      let read = try model.read(Record(id: record.id, blob: after.encoded()))
      return Edit(patch: try after.changes(since: before), value: read.fields[field])
    }
  }
}

/// The seeds of a random test: the same ones each time, or those that `MODELGEN_EVOLUTION_SEEDS` counts from
/// `MODELGEN_EVOLUTION_FIRST` on.
enum SeedRange {
  static func of(_ count: UInt64) -> ClosedRange<UInt64> {
    func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) }
    let first = number("MODELGEN_EVOLUTION_FIRST") ?? 1
    return first...first + (number("MODELGEN_EVOLUTION_SEEDS") ?? count) - 1
  }
}

/// What the conversions of the history do.
enum HistoryValues {
  static func parts(_ text: String) -> (String, String) {
    guard let bar = text.firstIndex(of: "|") else { return (text, "") }
    return (String(text[..<bar]), String(text[text.index(after: bar)...]))
  }

  static func parts(_ first: String, _ second: String) -> String { second.isEmpty ? first : "\(first)|\(second)" }

  static func wrapped<Value: HasZero>(_ value: Value) -> [Value] { value == .zero ? [] : [value] }
  static func wrapped<Value: HasZero>(_ values: [Value]) -> Value { values.first ?? .zero }
  @_disfavoredOverload static func wrapped<Value>(_ value: Value?) -> [Value] { value.map { [$0] } ?? [] }
  @_disfavoredOverload static func wrapped<Value>(_ values: [Value]) -> Value? { values.first }
}

/// A type whose zero stands for nothing.
protocol HasZero: Equatable {
  static var zero: Self { get }
}

extension Int32: HasZero {}
extension Int64: HasZero {}
extension UInt32: HasZero {}
extension UInt64: HasZero {}
extension Float: HasZero {}
extension Double: HasZero {}
extension String: HasZero { static var zero: Self { "" } }
extension Bool: HasZero { static var zero: Self { false } }
extension [UInt8]: HasZero { static var zero: Self { [] } }
