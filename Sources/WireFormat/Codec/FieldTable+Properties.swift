// Finds the field of a property.

extension FieldTable {
  /// The tag of the field that a stored property of the message holds; nil for any other property.
  public func tag<Message>(of property: PartialKeyPath<Message>) -> Int? {
    guard let offset = MemoryLayout<Message>.offset(of: property) else { return nil }
    let slots = UnsafeBufferPointer(start: storage.pointee.slots, count: storage.pointee.names.count)
    return slots.first { Int($0.offset) == offset }.map { Int($0.tag) }
  }
}
