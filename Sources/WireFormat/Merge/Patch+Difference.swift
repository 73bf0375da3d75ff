// Finds the patch between two contents of a model by comparing their bytes.

/// How the changes of fields merge. Every field that is not named here is replaced by itself, as a whole.
package struct MergeKinds: Hashable, Sendable {
  /// Tags of `set(E)` fields, which merge by inserted and removed elements.
  package var sets: [Int]
  /// Tags of `counter` fields, which merge by added amounts.
  package var counters: [Int]
  /// Tags of fields that are replaced together.
  package var wholes: [[Int]]

  package init(sets: [Int] = [], counters: [Int] = [], wholes: [[Int]] = []) {
    self.sets = sets
    self.counters = counters
    self.wholes = wholes
  }
}

extension Patch {
  /// The patch that turns `old` into `new`, two contents of one model; `.none` if nothing differs.
  ///
  /// For contents in canonical form, `difference(from: a, to: b).merged(into: a)` is `b`. Other contents are brought
  /// into canonical order first. Throws the errors of reading if one of them is no message, and `tooLarge` above 16
  /// MiB.
  package static func difference(
    from old: [UInt8], to new: [UInt8], kinds: MergeKinds
  ) throws(WireError) -> Patch {
    // Merging an empty patch sorts the records. The comparison below needs that order.
    let old = try Patch.none.merged(into: old)
    let new = try Patch.none.merged(into: new)
    let difference = try old.withRecords { (old) throws(WireError) in
      try new.withRecords { (new) throws(WireError) in
        try Difference(kinds: kinds).compare(old, new)
      }
    }
    return try Patch(
      set: difference.set.bytes, clear: difference.clear, insert: difference.insert.bytes,
      remove: difference.remove.bytes, increment: difference.increment.bytes)
  }
}

/// Compares two contents tag by tag, and collects the parts of the patch.
private struct Difference {
  let kinds: MergeKinds
  /// Fields that are replaced though they say the same, because others of their whole differ.
  private var replaced: Set<Int> = []
  var set = RecordWriter()
  var clear: [Int] = []
  var insert = RecordWriter()
  var remove = RecordWriter()
  var increment = RecordWriter()

  init(kinds: MergeKinds) {
    self.kinds = kinds
  }

  consuming func compare(_ old: RecordRange, _ new: RecordRange) throws(WireError) -> Self {
    if !kinds.wholes.isEmpty { replaced = try tagsToReplace(old, new) }
    var olds = try FieldCursor(old)
    var news = try FieldCursor(new)
    while let tag = [olds.tag, news.tag].compactMap({ $0 }).min() {
      let before = olds.tag == tag ? try olds.next() : .none
      let after = news.tag == tag ? try news.next() : .none
      try compare(tag, before, after)
      replaced.remove(tag)
    }
    // Fields that neither content has: somebody else may have written them meanwhile.
    if !replaced.isEmpty { clear = (clear + replaced).sorted() }
    return self
  }

  /// All tags of the wholes of which at least one differs.
  private func tagsToReplace(_ old: RecordRange, _ new: RecordRange) throws(WireError) -> Set<Int> {
    var changed: Set<Int> = []
    var olds = try FieldCursor(old)
    var news = try FieldCursor(new)
    while let tag = [olds.tag, news.tag].compactMap({ $0 }).min() {
      let before = olds.tag == tag ? try olds.next() : .none
      let after = news.tag == tag ? try news.next() : .none
      if !before.hasSameBytes(as: after) { changed.insert(tag) }
    }
    return Set(kinds.wholes.filter { !changed.isDisjoint(with: $0) }.joined())
  }

  private mutating func compare(_ tag: Int, _ old: RecordRange, _ new: RecordRange) throws(WireError) {
    guard !old.hasSameBytes(as: new) || replaced.contains(tag) else { return }
    // A patch cannot name an element whose number is longer than necessary, so such a set is replaced as a whole.
    if kinds.sets.contains(tag), try old.hasShortestNumbers(), try new.hasShortestNumbers() {
      try compareElements(old, new)
    } else if kinds.counters.contains(tag), let before = try old.counter(), let after = try new.counter(), !new.isEmpty
    {
      increment.zigzag(tag, after &- before)
    } else if new.isEmpty {
      clear.append(tag)
    } else {
      try new.writeShortest(to: &set)
    }
  }

  private mutating func compareElements(_ old: RecordRange, _ new: RecordRange) throws(WireError) {
    try old.sortedAsSet().withRecords { (old) throws(WireError) in
      try new.sortedAsSet().withRecords { (new) throws(WireError) in
        var olds = try ElementCursor(old)
        var news = try ElementCursor(new)
        while olds.current != nil || news.current != nil {
          switch order(olds.current, news.current) {
          case .before:
            remove.append(records: old.bytes[olds.currentRange])
            try olds.advance()
          case .after:
            insert.append(records: new.bytes[news.currentRange])
            try news.advance()
          case .same:
            try olds.advance()
            try news.advance()
          }
        }
      }
    }
  }

  /// Compares two elements. An absent one sorts after all others.
  private func order(_ left: Element?, _ right: Element?) -> Element.Order {
    guard let left else { return .after }
    guard let right else { return .before }
    return left.order(to: right)
  }
}

/// Walks over canonical content, all records of one tag at a time.
private struct FieldCursor {
  private let records: RecordRange
  private var reader: RecordReader
  private var record: Record?

  init(_ records: RecordRange) throws(WireError) {
    self.records = records
    reader = RecordReader(records.bytes, in: records.range)
    record = try reader.next()
  }

  /// The tag of the records that `next` will return.
  var tag: Int? { record?.tag }

  mutating func next() throws(WireError) -> RecordRange {
    let tag = record?.tag
    let start = record?.start ?? records.range.upperBound
    while let other = record, other.tag == tag { record = try reader.next() }
    return RecordRange(bytes: records.bytes, range: start..<(record?.start ?? records.range.upperBound))
  }
}
