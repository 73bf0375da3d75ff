// The slow path of the merge: puts correct records into canonical order.

extension RecordRange {
  /// The same records with ascending tags, and with the shortest keys and lengths. Records of one tag keep their order.
  func sortedByTag() throws(WireError) -> [UInt8] {
    var places = try places()
    places.sort { ($0.tag, $0.start) < ($1.tag, $1.start) }
    return write(places)
  }

  /// The records of one tag as a set: sorted, without duplicates.
  func sortedAsSet() throws(WireError) -> [UInt8] {
    var places = try places()
    places.sort { element($0).order(to: element($1)) == .before }
    var distinct = 0
    for place in places {
      if distinct > 0, element(places[distinct - 1]).order(to: element(place)) == .same { continue }
      places[distinct] = place
      distinct += 1
    }
    places.removeSubrange(distinct...)
    return write(places)
  }

  /// A record in 20 bytes instead of 56, so that sorting 16 MiB of hostile two-byte records takes only 160 MiB.
  private struct CompactRecord {
    var tag: UInt32
    var start: UInt32
    var value: Range<UInt32>
    var wireType: WireType
  }

  private func places() throws(WireError) -> [CompactRecord] {
    var places: [CompactRecord] = []
    var reader = RecordReader(bytes, in: range)
    while let record = try reader.next() {
      places.append(
        CompactRecord(
          tag: UInt32(record.tag), start: UInt32(record.start),
          value: UInt32(record.value.lowerBound)..<UInt32(record.value.upperBound), wireType: record.wireType))
    }
    return places
  }

  private func element(_ place: CompactRecord) -> Element {
    Element(bytes: bytes, wireType: place.wireType, value: Int(place.value.lowerBound)..<Int(place.value.upperBound))
  }

  private func write(_ places: [CompactRecord]) -> [UInt8] {
    var writer = RecordWriter(capacity: range.count)
    for place in places {
      let value = element(place).value
      writer.key(Int(place.tag), place.wireType)
      if place.wireType == .length { writer.append(varint: UInt64(value.count)) }
      writer.append(records: UnsafeRawBufferPointer(rebasing: bytes[value]))
    }
    return writer.bytes
  }
}
