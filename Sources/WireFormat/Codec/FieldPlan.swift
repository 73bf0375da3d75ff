// How the engine reads and writes one field: the kinds it knows itself, and the codecs for everything else.

/// How the engine reads and writes a property's memory; inferred from the property's type.
public struct FieldPlan {
  var kind: FieldKind
  var wireType: WireType
  /// The other wire type that a reader accepts: packed for a set of numbers, unpacked for a list of numbers.
  var alternate: WireType?
  var codec: FieldCodec?

  /// A kind that the engine knows may also have a codec, in order to sort a set.
  init(_ kind: FieldKind, _ wireType: WireType, alternate: WireType? = nil, codec: FieldCodec? = nil) {
    self.kind = kind
    self.wireType = wireType
    self.alternate = alternate
    self.codec = codec
  }

  /// Whether the field is a set, whose elements merge one by one.
  var isSet: Bool { kind == .stringSet || codec?.isSet == true }

  init(_ codec: FieldCodec, _ wireType: WireType, alternate: WireType? = nil) {
    self.init(FieldKind.codec, wireType, alternate: alternate, codec: codec)
  }
}

/// The kinds of fields that the engine's switch handles itself: single and optional values, lists and sets of strings.
///
/// `word` stands for Int64 and every type that consists of one Int64, `id` and `requiredID` for types that consist of
/// one UUIDValue. Such a type has the layout of its property, inside an Optional too.
enum FieldKind: UInt8 {
  case bool, int32, uint32, word, uint64, counter, float, double, id, requiredID, hash, string, data
  case optionalBool, optionalInt32, optionalUInt32, optionalWord, optionalUInt64, optionalFloat, optionalDouble
  case optionalID, optionalHash, optionalString, optionalData
  case strings, stringSet
  /// Marks the slot after the last field of a table.
  case sentinel
  case codec
}

/// Reads and writes a property that the engine has no case for.
///
/// An abstract class, so that a table can hold codecs without counting references. The conformance of the property's
/// type makes the codec, so the codec is only given addresses of such properties. That makes its `assumingMemoryBound`
/// sound.
class FieldCodec {
  /// Reads the record whose key has been read. May also read the records with the same key that follow.
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

  /// Sorts sets and unknown fields that were read out of order; see `FieldTable.normalise`.
  func normalise(_ property: UnsafeMutableRawPointer) {}
}
