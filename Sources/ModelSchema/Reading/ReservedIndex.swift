// Whether a tag, number or name is reserved, asked once for each field and case.

struct ReservedIndex {
  /// Ascending, without overlap.
  private let tags: [ClosedRange<Int>]
  /// In lower case: names are unique ignoring case.
  private let names: Set<String>

  init(_ reserved: ReservedFields) {
    tags = reserved.tags
    names = Set(reserved.names.map { $0.lowercased() })
  }

  func hasName(_ name: String) -> Bool {
    names.contains(name.lowercased())
  }

  func hasTag(_ tag: Int) -> Bool {
    var low = 0
    var high = tags.count
    while low < high {
      let middle = (low + high) / 2
      if tags[middle].contains(tag) { return true }
      if tags[middle].upperBound < tag { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
