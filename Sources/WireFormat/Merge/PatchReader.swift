// Reads and checks the bytes of a patch. Only bytes with exactly one meaning become a `Patch`.

/// Reads a patch message into one edit for each tag.
struct PatchReader {
  private let bytes: UnsafeRawBufferPointer
  private var pieces: [Piece] = []

  /// The records of one part that have one tag.
  private struct Piece {
    var tag: Int
    var part: Patch.Part
    var range: Range<Int>
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  consuming func edits() throws(WireError) -> [FieldEdit] {
    guard bytes.count <= WireLimits.maximumBytes else { throw WireError(.tooLarge, at: WireLimits.maximumBytes) }
    var reader = RecordReader(bytes)
    var last = 0
    while let record = try reader.next() {
      guard let part = Patch.Part(rawValue: record.tag), record.wireType == .length, record.tag > last,
        record.isShortest, !record.value.isEmpty
      else { throw WireError(.invalidPatch, at: record.start) }
      last = record.tag
      if part == .clear {
        try readTags(record.value)
      } else {
        try readRecords(record.value, of: part)
      }
    }
    return try combine()
  }

  /// Reads the cleared tags: packed, ascending, each once.
  private mutating func readTags(_ range: Range<Int>) throws(WireError) {
    var reader = RecordReader(bytes, in: range)
    var last = 0
    while reader.offset < range.upperBound {
      let start = reader.offset
      let tag = try reader.varint()
      guard tag.value >= 1, tag.value <= UInt64(WireLimits.maximumTag) else { throw WireError(.invalidTag, at: start) }
      guard Int(tag.value) > last, tag.isShortest else { throw WireError(.invalidPatch, at: start) }
      last = Int(tag.value)
      pieces.append(Piece(tag: last, part: .clear, range: start..<reader.offset))
    }
  }

  /// Makes one piece for each tag. Every record must be in canonical form, and in the order that its part demands.
  private mutating func readRecords(_ range: Range<Int>, of part: Patch.Part) throws(WireError) {
    var reader = RecordReader(bytes, in: range)
    var last: Record?
    while let record = try reader.next() {
      guard record.isShortest, try reader.isShortestNumber(record), follows(record, last, in: part) else {
        throw WireError(.invalidPatch, at: record.start)
      }
      if last?.tag == record.tag {
        pieces[pieces.count - 1].range = pieces[pieces.count - 1].range.lowerBound..<reader.offset
      } else {
        pieces.append(Piece(tag: record.tag, part: part, range: record.range))
      }
      last = record
    }
  }

  private func follows(_ record: Record, _ last: Record?, in part: Patch.Part) -> Bool {
    switch part {
    case .set, .fill, .clear:
      return (last?.tag ?? 0) <= record.tag
    case .increment:
      return record.wireType == .varint && (last?.tag ?? 0) < record.tag
    case .raise, .lower:
      return record.wireType != .length && (last?.tag ?? 0) < record.tag
    case .insert, .remove:
      guard let last, last.tag >= record.tag else { return true }
      return last.tag == record.tag
        && Element(last, in: bytes).order(to: Element(record, in: bytes)) == .before
    }
  }

  /// Combines the pieces of each tag into one edit. Throws `invalidPatch` for pieces that exclude each other.
  private consuming func combine() throws(WireError) -> [FieldEdit] {
    pieces.sort { ($0.tag, $0.part.rawValue) < ($1.tag, $1.part.rawValue) }
    var edits: [FieldEdit] = []
    edits.reserveCapacity(pieces.count)
    for piece in pieces {
      if edits.last?.tag != piece.tag {
        edits.append(FieldEdit(tag: piece.tag, fill: 0..<0, action: .keep))
      }
      try add(piece, to: &edits[edits.count - 1])
    }
    return edits
  }

  private func add(_ piece: Piece, to edit: inout FieldEdit) throws(WireError) {
    switch (piece.part, edit.action) {
    case (.fill, _):
      edit.fill = piece.range
    case (.set, .keep):
      edit.action = .set(piece.range)
    case (.clear, .keep):
      edit.action = .clear
    case (.insert, .keep):
      edit.action = .elements(insert: piece.range, remove: 0..<0)
    case (.remove, .keep):
      edit.action = .elements(insert: 0..<0, remove: piece.range)
    case (.remove, .elements(let insert, _)):
      try refuseSharedElements(insert, piece.range)
      edit.action = .elements(insert: insert, remove: piece.range)
    case (.increment, .keep):
      var reader = RecordReader(bytes, in: piece.range)
      edit.action = .increment(try reader.next().map { Zigzag.decode(reader.number($0)) } ?? 0)
    case (.raise, .keep):
      edit.action = .bound(piece.range, .raise)
    case (.lower, .keep):
      edit.action = .bound(piece.range, .lower)
    default:
      throw WireError(.invalidPatch, at: piece.range.lowerBound)
    }
  }

  private func refuseSharedElements(_ insert: Range<Int>, _ remove: Range<Int>) throws(WireError) {
    var inserted = try ElementCursor(RecordRange(bytes: bytes, range: insert))
    var removed = try ElementCursor(RecordRange(bytes: bytes, range: remove))
    while let one = inserted.current, let two = removed.current {
      switch one.order(to: two) {
      case .before: try inserted.advance()
      case .after: try removed.advance()
      case .same: throw WireError(.invalidPatch, at: removed.offset)
      }
    }
  }
}
