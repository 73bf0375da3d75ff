// Reads `reserved: { tags: [10, 20 to 29], names: [oldCaption] }`.

struct ReservedReader: PartReader {
  let findings: Findings

  /// The kind of reserved numbers, with its key and its bounds: tags of fields, or numbers of an enum.
  enum Numbers {
    case tags, enumNumbers

    var keys: KeyTable { self == .tags ? .reservedTags : .reservedNumbers }
    /// The key of the numbers.
    var key: String { keys.names[0] }
    var bounds: ClosedRange<Int> { self == .tags ? FieldReader.tagBounds : Int(Int32.min)...Int(Int32.max) }
  }

  func read(_ pair: YAMLPair?, numbers: Numbers) -> ReservedFields {
    guard let pair else { return ReservedFields() }
    let parts = kinds.pairs(of: pair.value, known: numbers.keys, in: "`reserved:`")
    var ranges: [ClosedRange<Int>] = []
    for node in parts[numbers.key].map({ kinds.elements(of: $0.value, "`\(numbers.key):`") }) ?? [] {
      guard let text = kinds.text(of: node, "A reserved number") else { continue }
      if let range = range(node, numbers) {
        ranges.append(range)
        guard range.contains(0) else { continue }
        findings.report(
          .reservedSyntax, "`\(text.text)` has the number 0, which means absent and never belongs to a case.",
          at: text.range, replacement: Self.without0(range))
      } else {
        findings.report(
          .reservedSyntax, "`\(text.text)` is neither a number nor a range like `20 to 29`, or it is out of bounds.",
          at: text.range)
      }
    }
    let names = parts["names"].map { kinds.elements(of: $0.value, "`names:`") } ?? []
    return ReservedFields(tags: Self.merged(ranges), names: self.names(names))
  }

  /// Reads former names. They need the right form, but may be words that were reserved later.
  private func names(_ nodes: [YAMLNode]) -> [String] {
    let names = nodes.compactMap { kinds.text(of: $0, "A reserved name") }.filter { nameRules.checkForm($0) }
    nameRules.checkUnique(names, "reserved")
    return names.map(\.text)
  }

  /// Removes 0 from a range for a suggestion: `-5 to 5` becomes `-5 to -1, 1 to 5`. Nil where nothing is left.
  private static func without0(_ range: ClosedRange<Int>) -> String? {
    let parts = [(range.lowerBound, -1), (1, range.upperBound)].filter { $0.0 <= $0.1 }
    return parts.isEmpty ? nil : parts.map { $0.0 == $0.1 ? "\($0.0)" : "\($0.0) to \($0.1)" }.joined(separator: ", ")
  }

  private func range(_ node: YAMLNode, _ numbers: Numbers) -> ClosedRange<Int>? {
    guard var scanner = ExpressionScanner(node), let first = scanner.number(), let low = Int(first.text) else {
      return nil
    }
    var high = low
    if !scanner.isAtEnd {
      guard scanner.word()?.text == "to", let last = scanner.number(), let number = Int(last.text) else { return nil }
      high = number
    }
    guard scanner.isAtEnd, low <= high, numbers.bounds.contains(low), numbers.bounds.contains(high) else { return nil }
    return low...high
  }

  private static func merged(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound + 1 {
        result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}

extension NameRules {
  /// Reports each name that is in `reserved`, ignoring case.
  func checkReserved(_ names: [Spelled], _ reserved: ReservedFields, _ what: String) {
    guard !reserved.names.isEmpty else { return }
    let taken = Set(reserved.names.map { $0.lowercased() })
    for name in names where Self.isName(name.text) && taken.contains(name.text.lowercased()) {
      findings.report(
        .nameReused, "The name `\(name.text)` is reserved: a \(what) of this name existed before.", at: name.range)
    }
  }
}

extension ReservedFields {
  /// A binary search, because there may be many ranges and many fields. The ranges are ascending.
  func hasTag(_ tag: Int) -> Bool {
    var rest = tags[...]
    while !rest.isEmpty {
      let middle = rest.startIndex + rest.count / 2
      if rest[middle].contains(tag) { return true }
      rest = tag < rest[middle].lowerBound ? rest[..<middle] : rest[(middle + 1)...]
    }
    return false
  }
}
