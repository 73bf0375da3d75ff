// A set with one order for everybody: that of the bytes its elements have on the wire.

/// Unique elements, sorted by their bytes in a record: strings by UTF-8, ids by their 16 bytes, numbers by their varint.
///
/// Two strings are one element only if their bytes are the same, so that nothing that was stored is lost; `==` of
/// `String` is coarser. Look-up is O(log n), `insert` and `remove` O(n).
///
/// Calls that only read, and making an empty one, are inlinable: elsewhere the type would be looked up at run time, each time.
@frozen
public struct SortedSet<Element: WireSetElement>: Sendable {
  /// Sorted and unique, but for the time in which a message is being read.
  @usableFromInline
  var elements: [Element]

  @inlinable
  public init() {
    elements = []
  }

  /// Sorts the elements and drops repeated ones.
  public init(_ unordered: some Sequence<Element>) {
    elements = Array(unordered)
    normalise()
  }

  /// For results that are in order by construction.
  init(sorted elements: [Element]) {
    self.elements = elements
  }

  /// Where the element is, or where it would be.
  @inlinable
  func position(of element: Element) -> (index: Int, isFound: Bool) {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if Element.precedes(elements[middle], element) { low = middle + 1 } else { high = middle }
    }
    return (low, low < elements.count && Element.isSame(elements[low], element))
  }

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

  public mutating func removeAll() {
    elements.removeAll()
  }
}

// For decoding: elements are appended as they come, and put in order once where they did not come in order.
extension SortedSet {
  mutating func reserveCapacity(_ count: Int) {
    elements.reserveCapacity(count)
  }

  /// Returns whether the set is still in order.
  mutating func appendUnordered(_ element: Element) -> Bool {
    let inOrder = elements.isEmpty || Element.precedes(elements[elements.count - 1], element)
    elements.append(element)
    return inOrder
  }

  /// A loop over indices: lazy sequences would ask for generic metadata, for every empty set of every object made.
  private var isInOrder: Bool {
    var index = 1
    while index < elements.count {
      if !Element.precedes(elements[index - 1], elements[index]) { return false }
      index += 1
    }
    return true
  }

  @usableFromInline
  mutating func normalise() {
    guard !isInOrder else { return }
    elements.sort(by: Element.precedes)
    var kept = 1
    for index in 1..<elements.count where !Element.isSame(elements[kept - 1], elements[index]) {
      if kept != index { elements[kept] = elements[index] }
      kept += 1
    }
    elements.removeSubrange(kept...)
  }
}

extension SortedSet: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.elements.count == right.elements.count && zip(left.elements, right.elements).allSatisfy(Element.isSame)
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
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.elements = elements
    if elements.count > 1 { normalise() }
  }
}

extension SortedSet: CustomStringConvertible {
  public var description: String { elements.description }
}
