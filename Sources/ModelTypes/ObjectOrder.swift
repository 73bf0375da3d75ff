// The order in which objects are fetched.

import WireFormat

/// An order of objects: terms that decide one after the other. Absent values come last, and ids break ties.
///
/// The same rules as a list's `order:` in a schema.
public struct ObjectOrder<Object: Model>: Sendable {
  /// Compares two of the objects, given by their positions, by one term; 0 if it does not decide.
  private typealias Comparison = (Int, Int) -> Int
  private var terms: [@Sendable ([Object]) -> Comparison]

  private init(terms: [@Sendable ([Object]) -> Comparison]) {
    self.terms = terms
  }

  private init<Value: Comparable & SendableMetatype>(
    isDescending: Bool, _ value: @escaping @Sendable (Object) -> Value?
  ) {
    terms = [
      { objects in
        // Each field is read once an object, not once a comparison. A value that is not equal to itself, such as NaN,
        // has no place in an order, so it counts as absent.
        let values = objects.map { value($0).flatMap { $0 == $0 ? $0 : nil } }
        return { compare(values[$0], values[$1], isDescending: isDescending) }
      }
    ]
  }
}

extension ObjectOrder {
  /// By the bytes of the ids.
  public static var byID: Self { Self(terms: []) }

  /// By the schema's `newestBy` field, the newest first; by id where the schema names none.
  public static var newestFirst: Self { Self(isDescending: true) { $0.newestBy } }

  /// The smallest value first. A value that is not equal to itself, such as NaN, comes last.
  public static func ascending<Value: Comparable & SendableMetatype>(_ field: any KeyPath<Object, Value> & Sendable)
    -> Self
  {
    Self(isDescending: false) { $0[keyPath: field] }
  }

  /// The smallest value first; an absent one comes last, and so does a NaN.
  public static func ascending<Value: Comparable & SendableMetatype>(_ field: any KeyPath<Object, Value?> & Sendable)
    -> Self
  {
    Self(isDescending: false) { $0[keyPath: field] }
  }

  /// The largest value first. A value that is not equal to itself, such as NaN, comes last.
  public static func descending<Value: Comparable & SendableMetatype>(_ field: any KeyPath<Object, Value> & Sendable)
    -> Self
  {
    Self(isDescending: true) { $0[keyPath: field] }
  }

  /// The largest value first; an absent one comes last, and so does a NaN.
  public static func descending<Value: Comparable & SendableMetatype>(_ field: any KeyPath<Object, Value?> & Sendable)
    -> Self
  {
    Self(isDescending: true) { $0[keyPath: field] }
  }

  /// This order; where it does not decide, the other one.
  public func then(_ other: Self) -> Self { Self(terms: terms + other.terms) }

  /// The objects in this order; each field is read once an object.
  public func sorted(_ objects: [Object]) -> [Object] {
    let comparisons = terms.map { $0(objects) }
    let positions = objects.indices.sorted { left, right in
      for comparison in comparisons {
        let result = comparison(left, right)
        if result != 0 { return result < 0 }
      }
      return objects[left].id < objects[right].id
    }
    return positions.map { objects[$0] }
  }
}

/// Absent values last, whichever the direction.
private func compare<Value: Comparable>(_ left: Value?, _ right: Value?, isDescending: Bool) -> Int {
  switch (left, right) {
  case (nil, nil): return 0
  case (nil, _): return 1
  case (_, nil): return -1
  case (let left?, let right?):
    if left == right { return 0 }
    return (left < right) != isDescending ? -1 : 1
  }
}
