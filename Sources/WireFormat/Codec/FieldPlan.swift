// How the engine reads and writes one field: the kinds it knows itself, and the codecs for everything else.

/// How the engine reads and writes a property's memory; inferred from the property's type.
public struct FieldPlan {
  var kind: FieldKind
  var wireType: WireType
  /// The other form that a reader takes: packed for a set of numbers, unpacked for a list of them.
  var alternate: WireType?
  var codec: FieldCodec?

  /// A kind that the engine knows may have a codec too: for putting a set in order.
  init(_ kind: FieldKind, _ wireType: WireType, alternate: WireType? = nil, codec: FieldCodec? = nil) {
    self.kind = kind
    self.wireType = wireType
    self.alternate = alternate
    self.codec = codec
  }

  /// Whether elements come and go on their own when two edits merge.
  var isSet: Bool { kind == .stringSet || codec?.isSet == true }

  init(_ codec: FieldCodec, _ wireType: WireType, alternate: WireType? = nil) {
    self.init(FieldKind.codec, wireType, alternate: alternate, codec: codec)
  }
}

/// The types that are worth a case of their own in the engine's switch: the single and optional ones.
///
/// `word` stands for Int64 and every type that is nothing but an Int64, `id` for every type that is nothing but a
/// UUIDValue: one stored property has the layout of the property itself, wrapped in an Optional too.
enum FieldKind: UInt8 {
  case bool, int32, uint32, word, uint64, counter, float, double, id, requiredID, hash, string, data
  case optionalBool, optionalInt32, optionalUInt32, optionalWord, optionalUInt64, optionalFloat, optionalDouble
  case optionalID, optionalHash, optionalString, optionalData
  case strings, stringSet
  /// Behind the last field of a table.
  case sentinel
  case codec
}

/// Reads and writes a property that the engine has no case for.
///
/// An abstract class: the table holds its codecs without counting references. Each codec is made by the conformance of
/// the property's type, and so is only ever given the address of a property of that type; that is what makes its
/// `assumingMemoryBound` sound.
class FieldCodec {
  /// Reads the record whose key has been read, and as many behind it with the same key as it likes.
  func read(_ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer)
    throws(WireError)
  {
    preconditionFailure("abstract")
  }

  /// Writes all records of the property.
  func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) throws(WireError) {
    preconditionFailure("abstract")
  }

  /// Whether the property is a set.
  var isSet: Bool { false }

  /// Puts what was read out of order in order; see `FieldTable.normalise`.
  func normalise(_ property: UnsafeMutableRawPointer) {}
}
