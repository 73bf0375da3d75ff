// A change of one object, as a value: its canonical bytes, and what they say about each field.

/// Changes to an object's content, field by field (docs/formats/blob-format.md, "Patch").
///
/// A patch is checked once, when it is made: a value of this type never contradicts itself. Equal patches have equal
/// bytes.
public struct Patch: Hashable, Sendable {
  /// The message as it is stored and sent.
  public let bytes: [UInt8]
  /// One edit for each tag that the patch names, in ascending order; the ranges are of `bytes`.
  let edits: [FieldEdit]

  /// Changes nothing.
  public static var none: Self { Self(bytes: [], edits: []) }

  /// Whether it changes nothing.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The tags that the patch names, ascending.
  public var tags: [Int] { edits.map(\.tag) }

  /// Whether it adds what is absent, as only a create does.
  public var fills: Bool { edits.contains { !$0.fill.isEmpty } }

  /// A patch from its parts, each but `clear` a sequence of records in canonical form.
  ///
  /// Fails with `invalidPatch` where a part is not canonical or the parts contradict each other, and as reading does
  /// where they are no records.
  public init(
    set: [UInt8] = [], clear: [Int] = [], insert: [UInt8] = [], remove: [UInt8] = [], increment: [UInt8] = [],
    fill: [UInt8] = []
  ) throws(WireError) {
    var tags = RecordWriter()
    for tag in clear {
      guard WireTag.range.contains(tag) else { throw WireError(.invalidTag, at: 0) }
      tags.append(varint: UInt64(tag))
    }
    var writer = RecordWriter(capacity: set.count + tags.bytes.count + insert.count + remove.count + fill.count + 32)
    for (part, records) in [
      (Part.set, set), (.clear, tags.bytes), (.insert, insert), (.remove, remove), (.increment, increment),
      (.fill, fill),
    ] where !records.isEmpty {
      writer.length(part.rawValue, records)
    }
    try self.init(bytes: writer.bytes)
  }

  /// A patch from its bytes, which are kept as they are.
  ///
  /// Fails with `invalidPatch` where a part is unknown, empty, repeated, not canonical, or contradicts another one;
  /// with `tooLarge` above 16 MiB; and as reading does where the bytes are no message.
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

  /// The fields of the message.
  enum Part: Int {
    case set = 1
    case clear, insert, remove, increment, fill
  }
}

/// The effect of a patch on the records of one tag.
struct FieldEdit {
  var tag: Int
  /// Records that come first where the content has none; may be empty.
  var fill: Range<Int>
  var action: Action

  enum Action {
    case keep
    case set(Range<Int>)
    case clear
    /// Two sorted sets that share no element; one of them may be empty.
    case elements(insert: Range<Int>, remove: Range<Int>)
    case increment(Int64)
  }
}
