// Restricts a create over an existing object to the fields that its sender may change.

extension Patch {
  /// The tags that the patch sets, clears, inserts into, removes from or increments, ascending.
  public var editedTags: [Int] {
    edits.compactMap { if case .keep = $0.action { nil } else { $0.tag } }
  }

  /// The same patch without the fills of fields that `mayFill` refuses.
  public func filling(_ mayFill: (Int) -> Bool) -> Patch {
    let kept = edits.filter { !$0.fill.isEmpty && mayFill($0.tag) }
    guard kept.count < edits.count(where: { !$0.fill.isEmpty }) else { return self }
    var writer = RecordWriter(capacity: bytes.count)
    let parts = bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      // The other parts come before `fill`, and were checked when the patch was made.
      while let record = try? reader.next(), record.tag != Part.fill.rawValue {
        writer.append(records: UnsafeRawBufferPointer(rebasing: bytes[record.range]))
      }
      return kept.flatMap { Array(bytes[$0.fill]) }
    }
    if !parts.isEmpty { writer.length(Part.fill.rawValue, parts) }
    guard let patch = try? Patch(bytes: writer.bytes) else { preconditionFailure("a part of a patch is a patch") }
    return patch
  }
}
