// Conversions: fields that take the place of older ones (docs/formats/blob-format.md, "Conversions").

/// Fields that are read from older ones, and the older ones, which are written with them.
public struct Conversion: Hashable, Sendable {
  /// The older fields. All are deprecated.
  public var sources: [FieldDeclaration]
  /// The fields with `from:`. Several only with `via:`.
  public var targets: [FieldDeclaration]
  /// The function of the app; nil where values turn into each other by themselves.
  public var via: String?

  /// Whether the fields are written together, so that nobody's edit leaves one of them behind. A set is not: its elements
  /// merge one by one, and it holds what the older field says besides.
  public var isWhole: Bool { targets.allSatisfy { $0.type.position != .set } }

  /// The conversions among the fields of a model or struct, in the order of their first targets.
  public static func all(in fields: [FieldDeclaration]) -> [Conversion] {
    var conversions: [Conversion] = []
    for field in fields where !field.from.isEmpty {
      if let via = field.via, let index = conversions.firstIndex(where: { $0.via == via }) {
        conversions[index].targets.append(field)
      } else {
        let sources = field.from.compactMap { name in fields.first { $0.name == name } }
        conversions.append(Conversion(sources: sources, targets: [field], via: field.via))
      }
    }
    return conversions
  }
}

/// How the values of one type turn into those of another without a function of the app.
public enum ElementConversion: Hashable, Sendable {
  case same
  /// An integer type that holds all values of the other.
  case widened
  /// A whole number becomes a `double`. Beyond 2⁵³ it is rounded.
  case fraction
  /// A `float` becomes a `double`.
  case precise
  /// A text becomes the case of that name.
  case named

  /// Nil where the types need a function of the app, or none of two equal types.
  public init?(from old: FieldType, to new: FieldType) {
    guard old != new, let base = Self(old.base, new.base) else { return nil }
    switch (old.position, new.position) {
    case (.single, .single), (.optional, .single), (.optional, .optional): self = base
    // Whether a zero is a value or none, only the app knows. A text without a case is none.
    case (.single, .optional):
      guard base == .named else { return nil }
      self = base
    // The one value is the first of a list, and one of a set.
    case (.single, .list), (.single, .set), (.optional, .list), (.optional, .set):
      guard base == .same else { return nil }
      self = base
    default: return nil
    }
  }

  private init?(_ old: BaseType, _ new: BaseType) {
    switch (old, new) {
    case _ where old == new: self = .same
    case (.int32, .int64), (.uint32, .int64), (.uint32, .uint64): self = .widened
    case (.int32, .double), (.uint32, .double), (.int64, .double), (.uint64, .double): self = .fraction
    case (.float, .double): self = .precise
    case (.string, .enumeration): self = .named
    default: return nil
    }
  }
}
