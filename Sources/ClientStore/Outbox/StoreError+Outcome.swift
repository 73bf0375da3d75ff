// Why an operation did not happen, as the server's outcome says it or sync finds out.

import SyncProtocol
import WireFormat

extension OperationOutcome {
  /// The reason why it did not happen; nil if it did. An unknown outcome counts as a failure, because its effect may be
  /// missing.
  var failure: StoreError? {
    switch status {
    case .applied, .noEffect: nil
    case .rejected(RejectionCode.forbidden): .forbidden
    case .rejected(RejectionCode.lastOwner): .lastOwner
    case .rejected(RejectionCode.conditionFailed): .conditionFailed
    case .rejected(RejectionCode.linkEnded): .linkEnded
    case .rejected(let code): StoreError(.rejected, "The server refused it: \(code).")
    case .voided: StoreError(.cancelled, "It was taken back in time.")
    case .unknown: .unknownOutcome
    }
  }
}

extension StoreError {
  static let unknownOutcome = StoreError(.unknownOutcome, "It is no longer known whether the server applied it.")
  static let forbidden = StoreError(.forbidden, "You are not allowed to do this: the server refused it.")
  static let linkEnded = StoreError(.linkEnded, "The link is not open any more, or never was: ask for another one.")
  static let lastOwner = StoreError(.lastOwner, "Somebody has to own it: make another member the owner first.")
  static let conditionFailed = StoreError(
    .conditionFailed, "Somebody else was faster: its object has changed meanwhile.")
  static func notBuilt(on name: String) -> Self {
    Self(.dependency, "It was built on \(name), which did not happen.")
  }

  static let revoked = StoreError(.revoked, "Its queue is no longer followed.")
  static let membershipLost = StoreError(
    .membershipLost,
    "The server was restored, and does not know you as a member of its queue. Try it again once you are one.")
}
