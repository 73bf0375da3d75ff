// The fuzz target of the field merge: any contents and patches give canonical content or an error, and the merge keeps
// its laws.

import WireFormat

/// The first two bytes are the lengths of two contents. These contents follow, and then a patch.
public func fuzzMerge(_ bytes: UnsafeRawBufferPointer) {
  guard bytes.count >= 2 else { return }
  let first = min(2 + Int(bytes[0]), bytes.count)
  let second = min(first + Int(bytes[1]), bytes.count)
  let content = Array(bytes[2..<first])
  let other = Array(bytes[first..<second])
  if let patch = try? Patch(bytes: Array(bytes[second...])) { checkPatch(patch, on: content) }
  checkDifference(from: content, to: other, kinds: MergeKinds())
  checkDifference(from: content, to: other, kinds: MergeKinds(sets: [1, 2, 3, 500], counters: [4, 5, 600]))
}

private func checkPatch(_ patch: Patch, on content: [UInt8]) {
  precondition((try? Patch(bytes: patch.bytes)) == patch, "a patch does not read back")
  let tidy = try? Patch.none.merged(into: content)
  let merged = try? patch.merged(into: content)
  precondition((merged == nil) == (tidy == nil), "what is refused depends on the content alone")
  guard let tidy, let merged else { return }
  precondition((try? Patch.none.merged(into: merged)) == merged, "a merge is not canonical")
  precondition((try? patch.merged(into: tidy)) == merged, "a merge depends on the order of the content")
  if !hasIncrement(patch) {
    precondition((try? patch.merged(into: merged)) == merged, "a merge without increments is not idempotent")
  }
  for tag in [1, 7, WireLimits.maximumTag] where !patch.tags.contains(tag) {
    checkOrder(patch, clearing: tag, on: content)
  }
}

/// Patches of different fields commute.
private func checkOrder(_ patch: Patch, clearing tag: Int, on content: [UInt8]) {
  guard let clear = try? Patch(clear: [tag]) else { preconditionFailure("a tag can be cleared") }
  let before = (try? clear.merged(into: content)).flatMap { try? patch.merged(into: $0) }
  let after = (try? patch.merged(into: content)).flatMap { try? clear.merged(into: $0) }
  precondition(before == after, "patches of different fields do not commute")
}

/// The difference, applied to the old content, gives the new one. A second difference then changes nothing.
private func checkDifference(from old: [UInt8], to new: [UInt8], kinds: MergeKinds) {
  guard let patch = try? Patch.difference(from: old, to: new, kinds: kinds) else { return }
  guard let merged = try? patch.merged(into: old),
    let again = try? Patch.difference(from: merged, to: new, kinds: kinds)
  else { preconditionFailure("a difference does not apply") }
  precondition((try? again.merged(into: merged)) == merged, "a difference leaves a difference")
  precondition((try? Patch.difference(from: old, to: old, kinds: kinds)) == Patch.none, "a content differs from itself")
}

/// Whether the patch has a record with the tag 5, which holds increments.
private func hasIncrement(_ patch: Patch) -> Bool {
  patch.bytes.withUnsafeBytes { bytes in
    var reader = RecordReader(bytes)
    while let record = try? reader.next() {
      if record.tag == 5 { return true }
    }
    return false
  }
}
