// What views ask about the children of an object, and the answers.

public import Snapshots
public import WireFormat

/// A question about the objects that belong to one object in a `ChildList`.
public enum ChildQuestion: Hashable, Sendable {
  /// How many there are.
  case count
  /// How many have a key that compares so with this one. Those without a value are not among them. The key of no value
  /// comes before all others here: every child is greater.
  case countOf(ChildComparison, ListKey)
  /// How many have each key.
  case groups
  /// The sum of the keys, which are whole numbers, modulo 2^64.
  case sum
  /// The one with the largest value. Of several that have it, the last in an ascending list, the first in a descending one.
  case newest(isDescending: Bool)
}

/// How the value of a child stands to another value.
public enum ChildComparison: Hashable, Sendable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

/// The answer to a `ChildQuestion`, in the same order.
public enum ChildAnswer: Hashable, Sendable {
  /// Of `count`, `countOf` and `sum`.
  case number(Int64)
  /// In the order of the keys, each once.
  case groups([ChildGroup])
  /// Nil where there are no children.
  case child(UUIDValue?)
}

/// How many children have one key.
public struct ChildGroup: Hashable, Sendable {
  public var key: ListKey
  public var count: Int

  public init(key: ListKey, count: Int) { (self.key, self.count) = (key, count) }
}

/// A value, and how many objects have it: a row of `counts(reaction.ofMessage by emoji)`.
public struct ValueCount<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value that the objects share.
  public var value: Value
  /// How many objects have the value, at least 1.
  public var count: Int

  /// For tests and previews.
  public init(value: Value, count: Int) { (self.value, self.count) = (value, count) }
}

extension ValueCount: Encodable where Value: Encodable {}

// As generated views ask.
extension ViewSource {
  /// How many children an object has.
  public func count<Object: Model, Parent: Model>(
    _ list: ChildList<Object, Parent>, of id: ObjectID<Parent>
  ) throws -> Int {
    try number(.count, of: id, in: list)
  }

  /// How many children have a value that compares so with this one. Nil comes before all others.
  public func count<Object: Model, Parent: Model, Value: ListNumber>(
    _ list: ChildList<Object, Parent>, of id: ObjectID<Parent>, _ comparison: ChildComparison, _ value: Value?
  ) throws -> Int {
    try number(.countOf(comparison, .ascending(value)), of: id, in: list)
  }

  /// The sum of a whole number of all children, modulo 2^64.
  public func sum<Object: Model, Parent: Model>(
    _ list: ChildList<Object, Parent>, of id: ObjectID<Parent>
  ) throws -> Int64 {
    guard case .number(let sum) = try answer(.sum, of: id, in: list) else { return 0 }
    return sum
  }

  /// How many children have each value, the most frequent value first, among equal ones the smallest.
  public func counts<Object: Model, Parent: Model, Value: ListSection>(
    _ list: ChildList<Object, Parent>, of id: ObjectID<Parent>, by _: Value.Type
  ) throws -> [ValueCount<Value>] {
    guard case .groups(let groups) = try answer(.groups, of: id, in: list) else { return [] }
    let counts = groups.compactMap { group in
      Value(group.key, isDescending: false).map { ValueCount(value: $0, count: group.count) }
    }
    return counts.enumerated().sorted { left, right in
      (right.element.count, left.offset) < (left.element.count, right.offset)
    }.map(\.element)
  }

  /// The child with the largest value; nil where there are no children.
  public func newest<Object: Model, Parent: Model>(
    _ list: ChildList<Object, Parent>, of id: ObjectID<Parent>, isDescending: Bool = false
  ) throws -> ObjectID<Object>? {
    guard case .child(let child) = try answer(.newest(isDescending: isDescending), of: id, in: list) else { return nil }
    return child.map { ObjectID($0) }
  }

  private func number<Object: Model, Parent: Model>(
    _ question: ChildQuestion, of id: ObjectID<Parent>, in list: ChildList<Object, Parent>
  ) throws -> Int {
    guard case .number(let number) = try answer(question, of: id, in: list) else { return 0 }
    return Int(number)
  }
}
