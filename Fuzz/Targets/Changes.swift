// The fuzz target of an operation's changes: any bytes give changes or an error, and changes stay the same when they
// are written and read again.

import SyncProtocol
import WireFormat

/// Reads `bytes` as the changes of an operation, writes them again, and applies each to nothing and to its own result.
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

/// Nil if reading refuses the bytes, which is allowed.
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
    // Applies the change again, to its own result.
    _ = try change.applied(to: made)
  } catch {
    return
  }
}
