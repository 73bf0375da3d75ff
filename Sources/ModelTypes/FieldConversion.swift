// What generated code calls to turn the values of an older field into those of a newer one.

public import WireFormat

/// Conversions of single values (docs/formats/blob-format.md, "Conversions").
public enum FieldConversion {
  /// The case that the schema calls so; nil where there is none.
  public static func named<Value: ModelEnum>(_ text: String) -> Value? {
    Value.knownCases.first { "\($0)" == text }
  }

  /// The name of a case, `unknown(7)` for the number of a newer schema, nil for the number 0.
  public static func name(of value: some ModelEnum) -> String? {
    value.rawValue == 0 ? nil : "\(value)"
  }

  /// The nearest whole number that the type has; 0 for NaN.
  public static func whole<Value: FixedWidthInteger>(_ number: Double) -> Value {
    let rounded = number.rounded()
    return rounded.isNaN ? 0 : Value(exactly: rounded) ?? (rounded < 0 ? .min : .max)
  }

  /// The list with another first element. Nil takes the first away.
  public static func list<Element>(_ first: Element?, in list: [Element]) -> [Element] {
    (first.map { [$0] } ?? []) + list.dropFirst()
  }

  /// The set with one more element. Nil adds none.
  public static func set<Element>(_ set: SortedSet<Element>, with element: Element?) -> SortedSet<Element> {
    guard let element else { return set }
    var set = set
    set.insert(element)
    return set
  }

  /// The element if the set has it, else the first of the set.
  public static func element<Element>(_ element: Element?, of set: SortedSet<Element>) -> Element? {
    if let element, set.contains(element) { return element }
    return set.first
  }
}
