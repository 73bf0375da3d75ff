// An operation that throws while it is evaluated is turned down, and this is what the app hears.

import Foundation
import ModelTypes
import SyncProtocol
import WireFormat

extension Error {
  var isMissingObject: Bool { (self as? OperationError)?.code == .noSuchObject }
}

extension StoreError {
  /// The reason why an operation was turned down when it was performed.
  init(turningDown error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as OperationError: self.init(.refused, error.message)
    case let error as WireError where error.code == .tooLarge:
      let limit = ProtocolLimits.mutationBytes >> 20
      self.init(
        .refused,
        "The operation's changes are larger than \(limit) MiB: put large values into a file, and name the file.")
    case let error as WireError: self.init(.refused, "The operation's changes cannot be encoded: \(error).")
    default: self.init(.refused, (error as? any LocalizedError)?.errorDescription ?? "\(error)")
    }
  }
}
