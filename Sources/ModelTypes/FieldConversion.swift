// What generated code calls to turn the values of an older field into those of a newer one.

public import WireFormat

/// Conversions of single values (docs/formats/blob-format.md, "Conversions").
public enum FieldConversion {
  /// The case that the schema calls so. For another text the case that is stored, if only a newer schema knows its name.
  public static func named<Value: ModelEnum>(_ text: String, or stored: Value?) -> Value? {
    Value.knownCases.first { "\($0)" == text } ?? stored.flatMap { Value.knownCases.contains($0) ? nil : $0 }
  }

  /// The name of a case, `unknown(7)` for the number of a newer schema, nil for the number 0.
  public static func name(of value: some ModelEnum) -> String? {
    value.rawValue == 0 ? nil : "\(value)"
  }

  /// The nearest whole number that the type has, from a half away from zero; 0 for NaN.
  public static func whole<Value: FixedWidthInteger>(_ number: Double) -> Value {
    let rounded = number.rounded()
    return rounded.isNaN ? 0 : Value(exactly: rounded) ?? (rounded < 0 ? .min : .max)
  }

  /// The list with another first element, which is at no other place. Nil takes the first away.
  public static func list<Element: Equatable>(_ first: Element?, in list: [Element]) -> [Element] {
    guard let first else { return Array(list.dropFirst()) }
    return [first] + list.dropFirst().filter { $0 != first }
  }

  /// The set with one more element. Nil adds none.
  public static func set<Element>(_ set: SortedSet<Element>, with element: Element?) -> SortedSet<Element> {
    guard let element else { return set }
    var set = set
    set.insert(element)
    return set
  }

  /// What to store for a set and for the older value, so that the two together show `new`.
  ///
  /// The older value stays while it is in the set, else it is an element that comes in, else nil. What only the older
  /// field had is not put into the set: an older app can take it away again.
  public static func write<Element>(
    _ new: SortedSet<Element>, over stored: SortedSet<Element>, and older: Element?
  ) -> (stored: SortedSet<Element>, older: Element?) {
    let shown = set(stored, with: older)
    let inserted = new.subtracting(shown)
    let kept = older.flatMap { new.contains($0) ? $0 : nil }
    return (stored.union(inserted).subtracting(shown.subtracting(new)), kept ?? inserted.first)
  }
}
