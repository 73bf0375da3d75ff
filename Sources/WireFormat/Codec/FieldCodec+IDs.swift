// Codecs for lists and sets of 16-byte ids. They read a whole run of records at once, because most collections of
// models are of ids.

/// `[ID]`, for a type whose only stored property is a `UUIDValue`.
class IDListCodec<ID: WireElement>: FieldCodec {
  override final func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) {
    property.assumingMemoryBound(to: [ID].self).pointee.withUnsafeBytes { bytes in
      // Sound: every `ID` has the layout of a UUIDValue.
      for offset in stride(from: 0, to: bytes.count, by: MemoryLayout<UUIDValue>.stride) {
        writer.reserve(0)
        writer.key(key)
        writer.uuid(bytes.load(fromByteOffset: offset, as: UUIDValue.self))
      }
    }
  }

  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    _ = try readRun(&reader, key, into: property)
  }

  /// Reads a run of ids. Returns true only if all ids of the property are known to ascend. Allocates the array once,
  /// bounded by the bytes that are there.
  final func readRun(
    _ reader: inout WireReader, _ key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) -> Bool {
    let count = try reader.countIDs(key: UInt64(key))
    var inOrder = true
    let run = [ID](unsafeUninitializedCapacity: count) { memory, initializedCount in
      // Sound: `ID` has the layout of a UUIDValue and consists of its bytes only, and `memory` holds `count` of them.
      guard let target = UnsafeMutableRawPointer(memory.baseAddress) else { return }
      initializedCount = reader.readIDs(count, into: target, &inOrder)
    }
    let list = property.assumingMemoryBound(to: [ID].self)
    // `isEmpty` of an array is not specialised for a generic `ID`.
    if list.pointee.count == 0 {
      list.pointee = run
      return inOrder
    }
    list.pointee.append(contentsOf: run)
    return false
  }
}

/// `SortedSet<ID>`, for a type whose only stored property is a `UUIDValue`.
///
/// The set is read and written as the array that it consists of. To use the set's own type would look up generic
/// metadata for every object that is read.
final class IDSetCodec<ID: WireSetElement>: IDListCodec<ID> {
  override var isSet: Bool { true }

  override init() {
    precondition(MemoryLayout<SortedSet<ID>>.size == MemoryLayout<[ID]>.size, "more than its array")
  }

  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    if try !readRun(&reader, key, into: property) { reader.needsNormalising = true }
  }

  override func normalise(_ property: UnsafeMutableRawPointer) {
    property.assumingMemoryBound(to: SortedSet<ID>.self).pointee.normalise()
  }
}

extension WireReader {
  /// How many ids follow under one key, including the one just begun. Throws if that one is not an id.
  @inline(never)
  fileprivate func countIDs(key: UInt64) throws(WireError) -> Int {
    var ahead = self
    _ = try ahead.uuid()
    var count = 1
    // A bad record ends the run. It is then read as the next record, and refused.
    while ahead.cursor < ahead.end, (try? ahead.varint()) == key, (try? ahead.uuid()) != nil { count += 1 }
    return count
  }

  /// Reads the ids that `countIDs` has counted, and returns how many it read. Sets `inOrder` to false if they do not
  /// ascend.
  @inline(never)
  fileprivate mutating func readIDs(_ count: Int, into target: UnsafeMutableRawPointer, _ inOrder: inout Bool) -> Int {
    var last = UUIDValue.zero
    for index in 0..<count {
      // Nothing here fails after `countIDs`. If it did, fewer ids would be returned.
      if index > 0, (try? varint()) == nil { return index }
      guard let id = try? uuid() else { return index }
      if index > 0, !(last < id) { inOrder = false }
      target.storeBytes(of: id, toByteOffset: index * MemoryLayout<UUIDValue>.stride, as: UUIDValue.self)
      last = id
    }
    return count
  }
}
