// Fields with their types and defaults, and the structs and enums that fields may name.

/// A field of a model or struct.
public struct FieldDeclaration: Hashable, Sendable {
  public var name: String
  public var type: FieldType
  /// 1 … 536,870,911 without 19,000 … 19,999. Its meaning never changes.
  public var tag: Int
  public var doc: String?
  public var defaultValue: Literal?
  /// The reason behind `deprecated:`; empty for `deprecated: true`.
  public var deprecated: String?
  /// The name before a rename.
  public var was: String?
  /// The deprecated fields whose values become this one's; empty for a field that is not converted.
  public var from: [String]
  /// The function of the app that converts; nil where `ElementConversion` does.
  public var via: String?

  public init(
    name: String, type: FieldType, tag: Int, doc: String? = nil, defaultValue: Literal? = nil,
    deprecated: String? = nil, was: String? = nil, from: [String] = [], via: String? = nil
  ) {
    self.name = name
    self.type = type
    self.tag = tag
    self.doc = doc
    self.defaultValue = defaultValue
    self.deprecated = deprecated
    self.was = was
    self.from = from
    self.via = via
  }
}

/// A base type, and how many values of it a field holds.
public struct FieldType: Hashable, Sendable {
  public var base: BaseType
  public var position: FieldPosition

  public init(_ base: BaseType, _ position: FieldPosition = .single) {
    self.base = base
    self.position = position
  }
}

/// How many values a field holds.
public enum FieldPosition: Hashable, Sendable {
  case single
  case optional
  case list
  case set
}

/// A type without its position.
public enum BaseType: Hashable, Sendable {
  case bool, int32, int64, uint32, uint64, float, double, string, data, uuid, timestamp, file, counter
  /// `ref(user)`: a user is only an id.
  case userReference
  /// The name of a model.
  case reference(String)
  case structure(TypeName)
  case enumeration(TypeName)
}

/// The name of a struct or enum and the model it is nested in.
public struct TypeName: Hashable, Sendable {
  /// The model whose file declares the type; nil for a shared type.
  public var model: String?
  public var name: String

  public init(model: String?, name: String) {
    self.model = model
    self.name = name
  }
}

/// A constant in a schema.
public enum Literal: Hashable, Sendable {
  case bool(Bool)
  /// Within the bounds of the target's type.
  case integer(Int64)
  /// Only for uint64 above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case enumCase(String)
}

/// A named group of fields, replaced whole by a merge.
public struct StructDeclaration: Hashable, Sendable {
  public var name: String
  public var swiftName: String
  public var doc: String?
  public var fields: [FieldDeclaration]
  public var reserved: ReservedFields
  /// The name before a rename.
  public var was: String?

  public init(
    name: String, swiftName: String, doc: String?, fields: [FieldDeclaration], reserved: ReservedFields,
    was: String? = nil
  ) {
    self.name = name
    self.swiftName = swiftName
    self.doc = doc
    self.fields = fields
    self.reserved = reserved
    self.was = was
  }
}

/// An open list of named numbers: a reader keeps numbers that it does not know.
public struct EnumDeclaration: Hashable, Sendable {
  public var name: String
  public var swiftName: String
  public var doc: String?
  /// In the order of the file; numbers are unique, never 0.
  public var cases: [EnumCase]
  /// Numbers and names that may never be used again.
  public var reserved: ReservedFields
  /// The name before a rename.
  public var was: String?

  public init(
    name: String, swiftName: String, doc: String?, cases: [EnumCase], reserved: ReservedFields, was: String? = nil
  ) {
    self.name = name
    self.swiftName = swiftName
    self.doc = doc
    self.cases = cases
    self.reserved = reserved
    self.was = was
  }
}

public struct EnumCase: Hashable, Sendable {
  public var name: String
  public var number: Int32
  public var doc: String?
  public var was: String?

  public init(name: String, number: Int32, doc: String? = nil, was: String? = nil) {
    self.name = name
    self.number = number
    self.doc = doc
    self.was = was
  }
}
