// One open store a folder: a lock that the system takes back when the process ends, however it ends.

import Foundation

/// Keeps everybody else from opening the store of a folder, in this process and in others, until it is let go.
///
/// Numbers, the outbox and what is shown are in memory: two that wrote the same database would each know half of it.
/// `flock` belongs to one opening of a file, so it tells two stores of one process apart; the locks that SQLite takes on
/// its own file do not, and go when anybody closes that file. The lock's file stays: whoever removed it would let a
/// second one in.
final class StoreClaim: Sendable {
  private let descriptor: StoreLock<Int32>

  /// Throws `busy` where somebody has the store, and never waits.
  init(folder: String) throws {
    let path = folder + "/store.lock"
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard opened >= 0 else { throw StoreError(claiming: path, errno) }
    descriptor = StoreLock(opened)
    if flock(opened, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      letGo()
      throw code == EWOULDBLOCK ? StoreError.open(folder) : StoreError(claiming: path, code)
    }
  }

  deinit { letGo() }

  /// Unlocks before closing: a child that is being started has a copy of the descriptor, with the lock, until it runs.
  func letGo() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 {
        flock(descriptor, LOCK_UN)
        close(descriptor)
      }
      descriptor = -1
    }
  }
}

extension StoreError {
  fileprivate static func open(_ folder: String) -> Self {
    Self(
      .busy,
      "The store in \(folder) is open already, in this process or in another one. It can be opened once that one has "
        + "closed it or has ended.")
  }

  fileprivate init(claiming path: String, _ code: Int32) {
    let kind: Code =
      switch code {
      case ENOSPC, EDQUOT: .diskFull
      case EACCES, EPERM, EROFS: .readOnly
      default: .inputOutput
      }
    self.init(kind, "The lock of the store, \(path), cannot be taken: \(String(cString: strerror(code))).")
  }
}
