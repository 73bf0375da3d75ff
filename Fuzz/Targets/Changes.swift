// The fuzz target of an operation's changes: any bytes give changes or an error, and changes keep the laws of bytes.

import WireFormat

/// Reads `bytes` as the changes of an operation, writes them again, and applies them to nothing and to each other.
public func fuzzChanges(_ bytes: UnsafeRawBufferPointer) {
  guard let changes = read(Array(bytes)) else { return }
  guard let written = try? changes.encoded() else {
    preconditionFailure("what was read cannot be written")
  }
  guard let again = read(written) else { preconditionFailure("what was written cannot be read") }
  precondition(again == changes, "what was read is not what was written")
  precondition((try? again.encoded()) == written, "the same changes have other bytes")
  for change in changes.objects { apply(change) }
}

/// Nil where reading refuses the bytes, which is an answer.
private func read(_ bytes: [UInt8]) -> OperationChanges? {
  do throws(WireError) { return try OperationChanges(bytes: bytes) } catch { return nil }
}

private func apply(_ change: ObjectChange) {
  do throws(WireError) {
    let made = try change.applied(to: nil)
    switch change.action {
    case .create: precondition(made != nil, "a create makes nothing")
    case .patch, .delete: precondition(made == nil, "a change of nothing makes something")
    }
    // The same once more, over what it made.
    _ = try change.applied(to: made)
  } catch {
    return
  }
}
