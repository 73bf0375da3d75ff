// A change of one object as a value: its canonical bytes, and its edits of each field.

/// Changes to an object's content, field by field (docs/formats/blob-format.md, "Patch").
///
/// A patch is checked once, when it is made, so it never contradicts itself. Equal patches have equal bytes.
public struct Patch: Hashable, Sendable {
  /// The bytes as they are stored and sent.
  public let bytes: [UInt8]
  /// One edit for each tag that the patch names, in ascending order. Their ranges are offsets into `bytes`.
  let edits: [FieldEdit]

  /// The patch that changes nothing.
  public static var none: Self { Self(bytes: [], edits: []) }

  /// Whether the patch changes nothing.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The tags that the patch names, ascending.
  public var tags: [Int] { edits.map(\.tag) }

  /// Whether the patch adds absent fields, as only a create may do.
  public var fills: Bool { edits.contains { !$0.fill.isEmpty } }

  /// A patch from its parts. Each part but `clear` is a sequence of records in canonical form.
  ///
  /// Throws `invalidPatch` if a part is not canonical or the parts contradict each other, and the errors of reading if
  /// the bytes of a part are no records.
  public init(
    set: [UInt8] = [], clear: [Int] = [], insert: [UInt8] = [], remove: [UInt8] = [], increment: [UInt8] = [],
    fill: [UInt8] = [], raise: [UInt8] = [], lower: [UInt8] = []
  ) throws(WireError) {
    var tags = RecordWriter()
    for tag in clear {
      guard WireTag.range.contains(tag) else { throw WireError(.invalidTag, at: 0) }
      tags.append(varint: UInt64(tag))
    }
    var writer = RecordWriter(capacity: set.count + tags.bytes.count + insert.count + remove.count + fill.count + 32)
    for (part, records) in [
      (Part.set, set), (.clear, tags.bytes), (.insert, insert), (.remove, remove), (.increment, increment),
      (.fill, fill), (.raise, raise), (.lower, lower),
    ] where !records.isEmpty {
      writer.length(part.rawValue, records)
    }
    try self.init(bytes: writer.bytes)
  }

  /// A patch from its bytes, which are kept as they are.
  ///
  /// Throws `invalidPatch` if a part is unknown, empty, repeated or not canonical, or contradicts another one;
  /// `tooLarge` above 16 MiB; and the errors of reading if the bytes are no message.
  public init(bytes: [UInt8]) throws(WireError) {
    let edits = try bytes.withUnsafeBufferPointer { (buffer) throws(WireError) in
      try PatchReader(UnsafeRawBufferPointer(buffer)).edits()
    }
    self.init(bytes: bytes, edits: edits)
  }

  private init(bytes: [UInt8], edits: [FieldEdit]) {
    self.bytes = bytes
    self.edits = edits
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.bytes == right.bytes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }

  /// The parts of a patch, by their tags in the message.
  enum Part: Int {
    case set = 1
    case clear, insert, remove, increment, fill, raise, lower
  }
}

/// The effect of a patch on the records of one tag.
struct FieldEdit {
  var tag: Int
  /// Records that are added first if the content has none with this tag; may be empty.
  var fill: Range<Int>
  var action: Action

  enum Action {
    case keep
    case set(Range<Int>)
    case clear
    /// Two sorted sets that share no element; one of them may be empty.
    case elements(insert: Range<Int>, remove: Range<Int>)
    case increment(Int64)
    /// One number, which comes if it is beyond the present one.
    case bound(Range<Int>, Bound)
  }
}
