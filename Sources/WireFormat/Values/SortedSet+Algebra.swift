// Operations on two sets, each in one walk along both.

extension SortedSet {
  /// The elements of either set, in O(n + m).
  public func union(_ other: Self) -> Self {
    merged(with: other, keepLeft: true, keepBoth: true, keepRight: true)
  }

  /// The elements that both sets have, in O(n + m).
  public func intersection(_ other: Self) -> Self {
    merged(with: other, keepLeft: false, keepBoth: true, keepRight: false)
  }

  /// The elements of this set that the other does not have, in O(n + m).
  public func subtracting(_ other: Self) -> Self {
    merged(with: other, keepLeft: true, keepBoth: false, keepRight: false)
  }

  /// The elements that only one of the sets has, in O(n + m).
  public func symmetricDifference(_ other: Self) -> Self {
    merged(with: other, keepLeft: true, keepBoth: false, keepRight: true)
  }

  /// Whether the other set has all elements of this one, which an empty set always fulfils. Takes O(n + m).
  public func isSubset(of other: Self) -> Bool {
    subtracting(other).isEmpty
  }

  /// Inserts the elements of the other set, in O(n + m).
  public mutating func formUnion(_ other: Self) {
    self = union(other)
  }

  /// Removes the elements that the other set has, in O(n + m).
  public mutating func subtract(_ other: Self) {
    self = subtracting(other)
  }

  private func merged(with other: Self, keepLeft: Bool, keepBoth: Bool, keepRight: Bool) -> Self {
    var result: [Element] = []
    var left = elements[...]
    var right = other.elements[...]
    while let first = left.first, let second = right.first {
      if Element._precedes(first, second) {
        if keepLeft { result.append(first) }
        left.removeFirst()
      } else if Element._precedes(second, first) {
        if keepRight { result.append(second) }
        right.removeFirst()
      } else {
        if keepBoth { result.append(first) }
        left.removeFirst()
        right.removeFirst()
      }
    }
    if keepLeft { result += left }
    if keepRight { result += right }
    return Self(sorted: result)
  }
}
