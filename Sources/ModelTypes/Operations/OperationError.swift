// Why an operation was refused when it was performed.

import WireFormat

/// An operation that could not be evaluated into changes.
package struct OperationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error. The handle of the operation has a `StoreError` instead: mostly `refused`, or `ended`.
  package var code: Code
  /// The error in words for a person.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The reasons for which an operation cannot be evaluated.
  package enum Code: Hashable, Sendable {
    /// An object that the operation reads or changes is not there.
    case noSuchObject
    /// The changes are in two queues, or concern members of no queue. An operation is atomic inside one queue only.
    case crossesQueue
    /// One object was changed in two ways; all changes see the state before the operation.
    case changedTwice
    /// One field was edited in two ways, a value is larger or deeper than a reader takes, or the id of a new object is
    /// not bound to its queue.
    case invalidChange
    /// An object or a change of it is larger than 16 MiB. The store itself refuses changes above 1 MiB.
    case tooLarge
  }

  package var description: String { message }
}

extension OperationError {
  init(_ error: WireError, _ object: String) {
    switch error.code {
    case .tooLarge: self.init(.tooLarge, "\(object) is larger than \(WireLimits.maximumBytes >> 20) MiB.")
    case .invalidPatch: self.init(.invalidChange, "A field of \(object) is edited in two ways.")
    default: self.init(.invalidChange, "\(object) cannot be encoded: \(error).")
    }
  }
}
