// A set with the same order everywhere: that of the bytes that its elements have on the wire.

/// Unique elements, sorted by their bytes in a record: strings by UTF-8, ids by their 16 bytes, numbers by their
/// varints.
///
/// Two strings are the same element only if their bytes are the same, so that no stored element is lost; `==` of
/// `String` is coarser, and lists compare by it (docs/decisions/0024-equal-texts.md). Look-up is O(log n), `insert` and
/// `remove` are O(n).
///
/// The calls that only read, and the initialiser of an empty set, are inlinable. Otherwise other modules would look up
/// the type at run time, on every call.
@frozen
public struct SortedSet<Element: WireSetElement>: Sendable {
  /// Sorted and unique, except while a message is being read.
  @usableFromInline
  var elements: [Element]

  /// A set without elements.
  @inlinable
  public init() {
    elements = []
  }

  /// Sorts the elements and drops repeated ones.
  public init(_ unordered: some Sequence<Element>) {
    elements = Array(unordered)
    normalise()
  }

  /// For elements that are sorted and unique by construction.
  init(sorted elements: [Element]) {
    self.elements = elements
  }

  /// The index of the element, or the index at which it would be inserted.
  @inlinable
  func position(of element: Element) -> (index: Int, isFound: Bool) {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if Element._precedes(elements[middle], element) { low = middle + 1 } else { high = middle }
    }
    return (low, low < elements.count && Element._isSame(elements[low], element))
  }

  /// Whether the set holds an element with the same bytes. Takes O(log n).
  @inlinable
  public func contains(_ element: Element) -> Bool {
    position(of: element).isFound
  }

  /// Returns false where the set holds the element already.
  @discardableResult
  public mutating func insert(_ element: Element) -> Bool {
    let (index, isFound) = position(of: element)
    if !isFound { elements.insert(element, at: index) }
    return !isFound
  }

  /// Returns false where the set does not hold the element.
  @discardableResult
  public mutating func remove(_ element: Element) -> Bool {
    let (index, isFound) = position(of: element)
    if isFound { elements.remove(at: index) }
    return isFound
  }

  /// Removes every element, and frees the memory of the set.
  public mutating func removeAll() {
    elements.removeAll()
  }
}

// For decoding: elements are appended as they come, and sorted once if they came out of order.
extension SortedSet {
  mutating func reserveCapacity(_ count: Int) {
    elements.reserveCapacity(count)
  }

  /// Appends an element. Returns whether it is in order after the last one.
  mutating func appendUnordered(_ element: Element) -> Bool {
    let inOrder = elements.isEmpty || Element._precedes(elements[elements.count - 1], element)
    elements.append(element)
    return inOrder
  }

  /// Loops over indices, because lazy sequences would look up generic metadata for every empty set of every new object.
  private var isInOrder: Bool {
    var index = 1
    while index < elements.count {
      if !Element._precedes(elements[index - 1], elements[index]) { return false }
      index += 1
    }
    return true
  }

  @usableFromInline
  mutating func normalise() {
    guard !isInOrder else { return }
    elements.sort(by: Element._precedes)
    var kept = 1
    for index in 1..<elements.count where !Element._isSame(elements[kept - 1], elements[index]) {
      if kept != index { elements[kept] = elements[index] }
      kept += 1
    }
    elements.removeSubrange(kept...)
  }
}

extension SortedSet: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.elements.count == right.elements.count && zip(left.elements, right.elements).allSatisfy(Element._isSame)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements)
  }
}

extension SortedSet: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { elements.count }
  @inlinable public subscript(position: Int) -> Element { elements[position] }
}

extension SortedSet: ExpressibleByArrayLiteral {
  /// Sorts the elements and drops repeated ones.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.elements = elements
    if elements.count > 1 { normalise() }
  }
}

extension SortedSet: CustomStringConvertible {
  public var description: String { elements.description }
}
