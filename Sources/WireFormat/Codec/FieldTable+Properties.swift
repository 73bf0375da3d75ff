// Finds the field of a property.

extension FieldTable {
  /// The tag of the field whose value a property of the message shows; nil for any other property.
  public func tag<Message>(of property: PartialKeyPath<Message>) -> Int? {
    storage.pointee.shown.firstIndex(of: property).map { Int(storage.pointee.slots[$0].tag) }
  }

  /// The tags of converted fields that show the same value in two messages, though their bytes may differ.
  package func convertedTags<Message>(thatShowTheSameIn left: Message, _ right: Message) -> Set<Int> {
    var tags: Set<Int> = []
    for tag in mergeKinds.wholes.joined() {
      guard let index = fields.firstIndex(where: { $0.tag == tag }),
        let shown = storage.pointee.shown[index] as? PartialKeyPath<Message>,
        let before = left[keyPath: shown] as? AnyHashable, let after = right[keyPath: shown] as? AnyHashable
      else { continue }
      if before == after { tags.insert(tag) }
    }
    return tags
  }
}
