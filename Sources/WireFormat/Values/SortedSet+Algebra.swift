// Operations on two sets, each in one walk along both.

extension SortedSet {
  public func union(_ other: Self) -> Self {
    merged(with: other, keepLeft: true, keepBoth: true, keepRight: true)
  }

  public func intersection(_ other: Self) -> Self {
    merged(with: other, keepLeft: false, keepBoth: true, keepRight: false)
  }

  public func subtracting(_ other: Self) -> Self {
    merged(with: other, keepLeft: true, keepBoth: false, keepRight: false)
  }

  public func symmetricDifference(_ other: Self) -> Self {
    merged(with: other, keepLeft: true, keepBoth: false, keepRight: true)
  }

  public func isSubset(of other: Self) -> Bool {
    subtracting(other).isEmpty
  }

  public mutating func formUnion(_ other: Self) {
    self = union(other)
  }

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
