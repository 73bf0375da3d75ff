// Finds the field of a property.

extension FieldTable {
  /// The tag of the field whose value a property of the message shows; nil for any other property.
  public func tag<Message>(of property: PartialKeyPath<Message>) -> Int? {
    storage.pointee.shown.firstIndex(of: property).map { Int(storage.pointee.slots[$0].tag) }
  }
}
