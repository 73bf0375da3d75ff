// Restricts a create over an existing object to the fields that its sender may change.

extension Patch {
  /// The tags of the fields that the patch does more to than fill them, ascending.
  public var editedTags: [Int] {
    edits.compactMap { if case .keep = $0.action { nil } else { $0.tag } }
  }

  /// The same patch without the fills of fields that `mayFill` refuses.
  public func filling(_ mayFill: (Int) -> Bool) -> Patch {
    let kept = edits.filter { !$0.fill.isEmpty && mayFill($0.tag) }
    guard kept.count < edits.count(where: { !$0.fill.isEmpty }) else { return self }
    var writer = RecordWriter(capacity: bytes.count)
    bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      // The parts were checked when the patch was made.
      while let record = try? reader.next() {
        if record.tag == Part.fill.rawValue {
          let fill = kept.flatMap { Array(bytes[$0.fill]) }
          if !fill.isEmpty { writer.length(Part.fill.rawValue, fill) }
        } else {
          writer.append(records: UnsafeRawBufferPointer(rebasing: bytes[record.range]))
        }
      }
    }
    guard let patch = try? Patch(bytes: writer.bytes) else { preconditionFailure("a part of a patch is a patch") }
    return patch
  }
}
