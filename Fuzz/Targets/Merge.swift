// The fuzz target of the field merge: any content and any patch give canonical content or an error.

import WireFormat

/// The first byte says how long the content is; the rest is the patch.
public func fuzzMerge(_ bytes: UnsafeRawBufferPointer) {
  guard let first = bytes.first else { return }
  let split = min(1 + Int(first), bytes.count)
  let content = Array(bytes[1..<split])
  do throws(WireError) {
    let patch = try Patch(bytes: Array(bytes[split...]))
    let merged = try patch.merged(into: content)
    let again = try Patch.none.merged(into: merged)
    precondition(again == merged, "a merge is not canonical")
    let read = try Patch(bytes: patch.bytes)
    precondition(read == patch, "a patch does not read back")
  } catch {
    // Refusing is an answer.
  }
}
