// What can be done about an error: for a button beside its message.

public import Foundation

/// What helps against an error, for an app that offers it beside the message. A message says more.
public enum Recovery: Hashable, Sendable, CaseIterable {
  /// Nothing has to be done: the runtime tries again by itself.
  case wait
  /// The same call may succeed when it is made again, for example on what the user sees now.
  case tryAgain
  /// Add the file again, from its source.
  case addAgain
  /// Make room: on the device, or for `FileError.Code.quota` on the server, where deleted objects free that of their
  /// files.
  case freeSpace
  /// Let the user sign in again.
  case signIn
  /// Update the app.
  case updateApp
  /// Move what can still be read into a new store: `ModelStore.salvage`.
  case salvage
}

extension StoreError: LocalizedError {
  /// The message, as `localizedDescription` shows it.
  public var errorDescription: String? { message }

  /// What helps; nil where nothing that an app could offer does.
  public var recovery: Recovery? {
    switch code {
    case .damaged: .salvage
    case .diskFull: .freeSpace
    case .locked, .inputOutput, .conditionFailed, .busy: .tryAgain
    case .newerVersion: .updateApp
    case .readOnly, .olderVersion, .foreign, .schemaChanged, .closed, .refused, .cancelled, .forbidden, .lastOwner,
      .linkEnded, .rejected, .noEffect, .dependency, .unknownOutcome, .revoked, .membershipLost, .ended:
      nil
    }
  }
}

extension FileError: LocalizedError {
  /// The message, as `localizedDescription` shows it.
  public var errorDescription: String? { message }

  /// What helps; nil where nothing that an app could offer does.
  public var recovery: Recovery? {
    switch code {
    case .source, .lost: .addAgain
    case .disk, .quota: .freeSpace
    case .unreachable, .absent, .wrongBytes: .wait
    case .forbidden, .tooLarge, .variant, .ended: nil
    }
  }
}
