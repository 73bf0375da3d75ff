// Reads effects on fields of the operation's own object: `set`, `clear`, `insert`, `remove`, `increment`, `raise`,
// `lower`.

/// The change that an effect makes to a field.
enum FieldChange: Equatable {
  case set, insert, remove, increment
  case bound(FieldBound)

  /// Whether the value is an element of the field, not the field's whole value.
  var isOfElements: Bool { self == .insert || self == .remove }

  /// The reason why a field of `type` cannot be changed in this way; nil where it can.
  func problem(with type: FieldType) -> String? {
    switch self {
    case .set: type.base == .counter ? "a counter is changed by `increment:`" : nil
    case .insert, .remove: type.position == .set ? nil : "elements are put into sets and taken out of them"
    case .increment: type.base == .counter ? nil : "only a counter is incremented"
    case .bound: type.base == .counter ? "a counter is changed by `increment:`" : boundProblem(with: type)
    }
  }

  private func boundProblem(with type: FieldType) -> String? {
    guard type.position == .single || type.position == .optional else {
      return "one number or time is raised or lowered"
    }
    return switch type.base {
    case .int32, .int64, .uint32, .float, .double, .timestamp: nil
    case .uint64: "a server cannot tell a large one from a negative number, so it is neither raised nor lowered"
    default: "only numbers and times are raised and lowered"
    }
  }

  var bound: FieldBound? { if case .bound(let bound) = self { bound } else { nil } }
}

struct FieldEffectReader: CatalogReader {
  let model: CatalogModel
  let assignments: AssignmentReader
  let catalog: Catalog

  func assigned(_ pair: YAMLPair, _ change: FieldChange) -> [FieldAssignment] {
    kinds.entries(of: pair.value, "`\(pair.key.text):`").compactMap { entry in
      guard let field = paths.field(entry.key, in: model), isChangeable(entry.key) else { return nil }
      // An unknown type has been reported, or a file that may declare it could not be parsed.
      guard let type = field.type else { return nil }
      let nullHint = change == .set && field.canBeCleared ? ": `clear: \(entry.key.text)` takes the value away" : ""
      return assignments.read(entry, field, type, change, nullHint: nullHint)
    }
  }

  func cleared(_ pair: YAMLPair) -> [String] {
    kinds.oneOrMore(of: pair.value, "`clear:`").compactMap { node in
      guard let name = kinds.text(of: node, "`clear:`"), let field = paths.field(name, in: model),
        isChangeable(name)
      else { return nil }
      if !field.canBeCleared {
        findings.report(
          .effectTarget,
          "`\(name.text)` cannot be cleared: it is neither optional nor a collection and has no default.",
          at: name.range)
      }
      return name.text
    }
  }

  private func isChangeable(_ name: Spelled) -> Bool {
    guard let reason = model.reasonFixed(name.text) else { return true }
    findings.report(.fixedField, "`\(name.text)` \(reason), so it never changes.", at: name.range)
    return false
  }
}

extension DeclaredField {
  /// Whether `clear` is allowed. True for a field of unknown type too, which needs no second report.
  fileprivate var canBeCleared: Bool {
    type?.position != .single || defaultValue != nil
  }
}
