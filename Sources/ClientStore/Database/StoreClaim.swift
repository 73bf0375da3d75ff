// The lock that lets one open store use a folder. The system releases it when the process ends, however it ends.

import Foundation

/// Keeps this process and others from opening the store of a folder, until it is released.
///
/// Numbers, the outbox and the overlay are in memory, so two stores that wrote one database would each know half of it.
/// `flock` belongs to one opening of a file, so it also keeps two stores of one process apart. SQLite's own locks do
/// not, and they go when anybody in the process closes the file. The lock file is never removed, because a second store
/// could then lock a new one.
final class StoreClaim: Sendable {
  private let descriptor: Locked<Int32>

  /// Takes the lock. Throws `busy` if another store has it; never waits.
  init(folder: String) throws {
    let path = folder + "/store.lock"
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard opened >= 0 else { throw StoreError(claiming: path, errno) }
    descriptor = Locked(opened)
    if flock(opened, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      letGo()
      throw code == EWOULDBLOCK ? StoreError.open(folder) : StoreError(claiming: path, code)
    }
  }

  deinit { letGo() }

  /// Unlocks before closing: a child process that is being started has a copy of the descriptor, and with it the lock,
  /// until its program runs.
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
