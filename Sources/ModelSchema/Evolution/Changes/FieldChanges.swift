// Changes of fields: types, presence, defaults.

extension ChangeFinder {
  mutating func checkFields(of owner: FactNode, _ subject: String) {
    for (tag, field) in checkNames(of: owner, subject, .fields) {
      guard let name = field.now("name"), let type = field.now("type").map(FactType.init) else { continue }
      let key = "\(subject) field \(tag)"
      if field.wasReleased {
        checkType(of: field, key, name, type)
      } else if owner.wasReleased {
        checkNew(field, key, name, type)
      }
    }
  }

  private mutating func checkNew(_ field: FactNode, _ key: String, _ name: String, _ type: FactType) {
    if field.now("from") != nil {
      return report(.fieldConverted, key, "The field `\(name)` is new, and is read from older ones.")
    }
    guard type.needsValue, field.now("default") == nil else {
      return report(.fieldAdded, key, "The field `\(name)` is new.")
    }
    report(
      .requiredFieldAdded, key, "The field `\(name)` is new and required, and objects that exist have no \(type.noun).")
  }

  private mutating func checkType(of field: FactNode, _ key: String, _ name: String, _ type: FactType) {
    let released = field.released("type")
    guard let newest = released.last.map({ FactType($0.value) }) else { return }
    guard isReadable(field, key, name, type) else { return }
    if field.isInNewest, field.now("from") != field.newest("from") { reportConversion(field, key, name) }
    if !field.isInNewest, type.needsValue, field.now("default") == nil {
      report(
        .requiredFieldAdded, key, "The field `\(name)` is back and required, and newer objects have no \(type.noun).")
    }
    if type.isOptional != newest.isOptional { reportPresence(field, key, name, type) }
    guard field.isInNewest, field.now("default") != field.newest("default") else { return }
    if field.now("default") == nil, type.needsValue {
      return report(
        .fieldRequiredWithoutDefault, key, "`\(name)` has no default any more: objects may have no \(type.noun).")
    }
    let values = [field.now("default"), field.newest("default")].map { $0.map { "`\($0)`" } ?? "its zero" }
    report(.defaultChanged, key, "`\(name)` is \(values[0]) where it is absent now, and was \(values[1]).")
  }

  /// Whether today's type reads what releases wrote; reports where it does not.
  private mutating func isReadable(_ field: FactNode, _ key: String, _ name: String, _ type: FactType) -> Bool {
    let released = field.released("type")
    let isSettled = field.isInNewest && released.last.map { FactType($0.value) } == type
    let others = released.filter { FactType($0.value).shape != type.shape }
    for other in others {
      let old = FactType(other.value)
      let behind = replacement(old, type)
      // A type that was permitted once is settled. A struct or enum that has taken the place of another goes on changing.
      if behind == nil, !isSettled || isPair(old, type) && changesTypes {
        report(
          .fieldType, key,
          "`\(name)` is `\(type.shown)` now, and the tag was \(others.shownTypes)." + hint(old, type))
        return false
      }
      guard !isSettled, other == others.last else { continue }
      found += behind ?? []
      report(.fieldTypeReplaced, key, "`\(name)` is `\(type.shown)` now, and was `\(old.shown)`.")
    }
    return true
  }

  private mutating func reportConversion(_ field: FactNode, _ key: String, _ name: String) {
    switch (field.newest("from"), field.now("from")) {
    case (nil, _):
      report(.conversionChanged, key, "`\(name)` is read from older fields now, and objects have it without them.")
    case (_, nil):
      report(.conversionChanged, key, "`\(name)` is not read from older fields any more, and objects have only those.")
    default: report(.conversionChanged, key, "`\(name)` is converted in another way than before.")
    }
  }

  private mutating func reportPresence(_ field: FactNode, _ key: String, _ name: String, _ type: FactType) {
    if type.isOptional {
      report(.fieldOptional, key, "`\(name)` is optional now, and was required.")
    } else if type.needsValue, field.now("default") == nil {
      report(
        .fieldRequiredWithoutDefault, key,
        "`\(name)` is required now, and was optional: objects that exist may have no \(type.noun).")
    } else {
      report(.fieldRequired, key, "`\(name)` is required now, and was optional.")
    }
  }
}

/// A type as facts write it: `list(struct(photo.place))`, `string?`.
struct FactType: Hashable {
  let text: String
  var isOptional: Bool { text.hasSuffix("?") }
  /// The type without `?`, which does not show in the bytes.
  var shape: Substring { isOptional ? text.dropLast() : text[...] }

  init(_ text: String) {
    self.text = text
  }

  /// The type as a schema writes it: `list(place)`.
  var shown: String {
    guard let declared else { return text }
    let name = declared.name.split(separator: ".").last ?? declared.name
    return text.replacing("\(declared.kind)(\(declared.name))", with: name)
  }

  /// Whether a required field of this type needs a value: no zero of it means anything.
  var needsValue: Bool {
    if isOptional { return false }
    return ["file", "timestamp", "uuid"].contains(text) || ["ref(", "struct(", "enum("].contains { text.hasPrefix($0) }
  }

  /// Whether every value of it is one of the other, in the same bytes. Fields never widen: an older app would cut a large
  /// number off.
  func isNarrower(than other: FactType) -> Bool {
    ["int32": "int64", "uint32": "uint64", "list(int32)": "list(int64)"][shape] == other.shape
  }

  /// The kind of value, for messages.
  var noun: String {
    if text.hasPrefix("ref(") { return "id there" }
    if text.hasPrefix("struct(") || text.hasPrefix("enum(") { return "value there" }
    return "\(text) there"
  }

  /// The struct or enum in the type, and the words around it: `photo.place`, `struct`, `list`.
  var declared: (name: Substring, kind: Substring, around: Substring)? {
    for kind in ["struct", "enum"] {
      guard let start = shape.firstRange(of: kind + "(") else { continue }
      return (shape[start.upperBound...].prefix { $0 != ")" }, kind[...], shape[..<start.lowerBound])
    }
    return nil
  }
}

extension [ReleasedValue] {
  /// Types, as a schema writes them, with their releases.
  var shownTypes: String {
    map { ReleasedValue(value: FactType($0.value).shown, releases: $0.releases) }.shown
  }
}
