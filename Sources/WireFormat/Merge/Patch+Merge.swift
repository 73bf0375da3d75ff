// Merges a patch into the bytes of an object. Client and server use the same function, which needs no schema.

extension Patch {
  /// The content after the patch (docs/formats/blob-format.md, "Merge"). For an object that is not there yet, pass
  /// `[]`.
  ///
  /// The result has ascending tags. Values that the patch does not name keep their bytes. Throws the errors of reading
  /// if `content` is no message, and `tooLarge` if content or result is above 16 MiB.
  public func merged(into content: [UInt8]) throws(WireError) -> [UInt8] {
    guard content.count <= WireLimits.maximumBytes else { throw WireError(.tooLarge, at: WireLimits.maximumBytes) }
    let inOnePass = try mergedInOnePass(content)
    let merged = if let inOnePass { inOnePass } else { try mergedAfterSorting(content) }
    guard merged.count <= WireLimits.maximumBytes else { throw WireError(.tooLarge, at: WireLimits.maximumBytes) }
    return merged
  }

  private func mergedAfterSorting(_ content: [UInt8]) throws(WireError) -> [UInt8] {
    let sorted = try content.withRecords { (records) throws(WireError) in try records.sortedByTag() }
    guard let merged = try mergedInOnePass(sorted) else { preconditionFailure("sorted records are in order") }
    return merged
  }

  /// Nil if the tags of the content do not ascend, or if a key or a length is longer than necessary.
  private func mergedInOnePass(_ content: [UInt8]) throws(WireError) -> [UInt8]? {
    try content.withRecords { (content) throws(WireError) in
      try bytes.withRecords { (patch) throws(WireError) in
        try Merger(content: content, patch: patch).merge(edits)
      }
    }
  }
}

extension [UInt8] {
  func withRecords<Result>(_ body: (RecordRange) throws(WireError) -> Result) throws(WireError) -> Result {
    try withUnsafeBufferPointer { (buffer) throws(WireError) in
      try body(RecordRange(bytes: UnsafeRawBufferPointer(buffer), range: 0..<buffer.count))
    }
  }
}

/// One walk over content and edits, both in ascending order of tags.
private struct Merger {
  private let content: RecordRange
  private let patch: RecordRange
  private var reader: RecordReader
  private var record: Record?
  private var output: RecordWriter

  init(content: RecordRange, patch: RecordRange) {
    self.content = content
    self.patch = patch
    reader = RecordReader(content.bytes, in: content.range)
    output = RecordWriter(capacity: content.range.count + patch.range.count)
  }

  /// The offset of the current record. After the last one, the end of the content.
  private var offset: Int { record?.start ?? content.range.upperBound }

  consuming func merge(_ edits: [FieldEdit]) throws(WireError) -> [UInt8]? {
    guard try advance() else { return nil }
    var copied = 0
    for edit in edits {
      guard try advance(to: edit.tag) else { return nil }
      let start = offset
      guard try advance(to: edit.tag + 1) else { return nil }
      append(RecordRange(bytes: content.bytes, range: copied..<start))
      try apply(edit, to: RecordRange(bytes: content.bytes, range: start..<offset))
      copied = offset
    }
    guard try advance(to: .max) else { return nil }
    append(RecordRange(bytes: content.bytes, range: copied..<offset))
    return output.bytes
  }

  /// Goes to the first record whose tag is not below `tag`. Returns false if the content is out of order.
  private mutating func advance(to tag: Int) throws(WireError) -> Bool {
    while let record, record.tag < tag {
      guard try advance() else { return false }
    }
    return true
  }

  private mutating func advance() throws(WireError) -> Bool {
    let last = record?.tag ?? 0
    record = try reader.next()
    guard let record else { return true }
    return record.tag >= last && record.isShortest
  }

  private mutating func append(_ records: RecordRange) {
    output.append(records: UnsafeRawBufferPointer(rebasing: records.bytes[records.range]))
  }

  private mutating func apply(_ edit: FieldEdit, to records: RecordRange) throws(WireError) {
    let records = records.isEmpty ? part(edit.fill) : records
    switch edit.action {
    case .keep: append(records)
    case .set(let range): append(part(range))
    case .clear: break
    case .elements(let insert, let remove):
      if try records.isSortedSet() {
        try editElements(of: records, insert: part(insert), remove: part(remove))
      } else {
        let sorted = try records.sortedAsSet()
        try sorted.withRecords { (records) throws(WireError) in
          try editElements(of: records, insert: part(insert), remove: part(remove))
        }
      }
    case .increment(let amount):
      output.zigzag(edit.tag, (try records.counter() ?? 0) &+ amount)
    case .bound(let range, let bound): try keepBound(of: records, and: part(range), bound, edit.tag)
    }
  }

  /// Writes the number that the field keeps. A field without a number of that wire type takes the new one.
  private mutating func keepBound(
    of records: RecordRange, and new: RecordRange, _ bound: Bound, _ tag: Int
  ) throws(WireError) {
    var reader = RecordReader(new.bytes, in: new.range)
    guard let record = try reader.next(), let number = BoundedNumber(record, in: new.bytes) else { return }
    let present = try records.last(of: record.wireType).flatMap { BoundedNumber($0, in: records.bytes) }
    let kept = present.flatMap { number.isBeyond($0, bound) ? nil : $0 } ?? number
    kept.write(to: &output, tag)
  }

  private func part(_ range: Range<Int>) -> RecordRange {
    RecordRange(bytes: patch.bytes, range: range)
  }

  /// Inserts and removes elements, and copies the others. All three ranges are sorted, and no element is in both parts
  /// of the patch.
  private mutating func editElements(
    of records: RecordRange, insert: RecordRange, remove: RecordRange
  ) throws(WireError) {
    var present = try ElementCursor(records)
    var inserted = try ElementCursor(insert)
    var removed = try ElementCursor(remove)
    var copied = records.range.lowerBound
    while let next = try next(&inserted, &removed) {
      while let other = present.current, other.order(to: next.element) == .before { try present.advance() }
      append(RecordRange(bytes: records.bytes, range: copied..<present.offset))
      if present.current?.order(to: next.element) == .same { try present.advance() }
      copied = present.offset
      append(part(next.insert))
    }
    append(RecordRange(bytes: records.bytes, range: copied..<records.range.upperBound))
  }

  /// The smaller one of the next inserted and the next removed element, and the range to write in its place.
  private func next(
    _ inserted: inout ElementCursor, _ removed: inout ElementCursor
  ) throws(WireError) -> (element: Element, insert: Range<Int>)? {
    if let element = inserted.current, removed.current.map({ element.order(to: $0) == .before }) ?? true {
      let range = inserted.currentRange
      try inserted.advance()
      return (element, range)
    }
    guard let element = removed.current else { return nil }
    try removed.advance()
    return (element, 0..<0)
  }
}
