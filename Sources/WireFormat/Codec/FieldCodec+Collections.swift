// Codecs for the lists and sets that the engine has no case for.

/// `[Element]`: one record for each element.
final class ListCodec<Element: WireElement>: FieldCodec {
  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    let list = property.assumingMemoryBound(to: [Element].self)
    if list.pointee.isEmpty { list.pointee.reserveCapacity(reader.countRun(key: UInt64(key), limit: 1024)) }
    list.pointee.append(try Element._read(&reader))
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) throws(WireError) {
    try writeEach(property.assumingMemoryBound(to: [Element].self).pointee, key: key, to: &writer)
  }

  override func normalise(_ property: UnsafeMutableRawPointer) {
    let list = property.assumingMemoryBound(to: [Element].self)
    for index in list.pointee.indices { Element._normalise(&list.pointee[index]) }
  }
}

/// `[Element]` of numbers: one record for all of them.
final class PackedListCodec<Element: WireElement>: FieldCodec {
  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    let list = property.assumingMemoryBound(to: [Element].self)
    try readPackable(&reader, wireType, Element.self) { list.pointee.append($0) }
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) throws(WireError) {
    let list = property.assumingMemoryBound(to: [Element].self).pointee
    guard !list.isEmpty else { return }
    writer.reserve(0)
    writer.key(key)
    try writer.delimited { writer throws(WireError) in
      for element in list {
        writer.reserve(0)
        try element._write(to: &writer)
      }
    }
  }
}

/// `SortedSet<Element>`, never packed. Elements that arrive out of order are sorted once, at the end of the blob.
final class SetCodec<Element: WireSetElement>: FieldCodec {
  override var isSet: Bool { true }

  override func read(
    _ reader: inout WireReader, wireType: WireType, key: UInt32, into property: UnsafeMutableRawPointer
  ) throws(WireError) {
    let set = property.assumingMemoryBound(to: SortedSet<Element>.self)
    var inOrder = true
    if Element._wireType == .length {
      if set.pointee.isEmpty { set.pointee.reserveCapacity(reader.countRun(key: UInt64(key), limit: 1024)) }
      inOrder = set.pointee.appendUnordered(try Element._read(&reader))
    } else {
      try readPackable(&reader, wireType, Element.self) { inOrder = set.pointee.appendUnordered($0) && inOrder }
    }
    if !inOrder { reader.needsNormalising = true }
  }

  override func write(_ property: UnsafeRawPointer, key: EncodedKey, to writer: inout WireWriter) throws(WireError) {
    try writeEach(property.assumingMemoryBound(to: SortedSet<Element>.self).pointee.elements, key: key, to: &writer)
  }

  override func normalise(_ property: UnsafeMutableRawPointer) {
    property.assumingMemoryBound(to: SortedSet<Element>.self).pointee.normalise()
  }
}

private func writeEach<Element: WireElement>(_ list: [Element], key: EncodedKey, to writer: inout WireWriter)
  throws(WireError)
{
  for element in list {
    writer.reserve(0)
    writer.key(key)
    try element._write(to: &writer)
  }
}

/// Reads one number, or a packed record of numbers.
private func readPackable<Element: WireElement>(
  _ reader: inout WireReader, _ wireType: WireType, _: Element.Type, _ take: (Element) -> Void
) throws(WireError) {
  guard wireType == .length else { return take(try Element._read(&reader)) }
  let length = try reader.length()
  let outerEnd = reader.end
  reader.end = reader.cursor + length
  let unit = Element._wireType == .fixed64 ? 8 : Element._wireType == .fixed32 ? 4 : 1
  guard length % unit == 0 else { throw reader.error(.invalidLength) }
  while reader.cursor < reader.end { take(try Element._read(&reader)) }
  reader.end = outerEnd
}
