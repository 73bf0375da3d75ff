// Downloads and parts of uploads that are under way. Each ends with the membership under which it began.

import Foundation
import SyncProtocol
import WireFormat

/// The transfers of each queue. The references are weak, so that a transfer leaves the table when nothing else refers
/// to it.
///
/// `@unchecked Sendable`: its lock guards all state.
final class TransferTable: @unchecked Sendable {
  private let lock = NSLock()
  private var byQueue: [QueueID: [Int: Entry]] = [:]
  private var next = 0

  private struct Entry {
    weak var transfer: Transfer?
  }

  /// Adds a transfer. To be called before the membership is read, so that no change of it is missed.
  func register(_ queue: QueueID, of user: UserID, isWriting: Bool) -> Transfer {
    lock.withLock {
      next += 1
      let transfer = Transfer(queue, user, isWriting: isWriting, self, next)
      byQueue[queue, default: [:]][next] = Entry(transfer: transfer)
      return transfer
    }
  }

  func transfers(in queue: QueueID) -> [Transfer] {
    lock.withLock { byQueue[queue]?.values.compactMap(\.transfer) ?? [] }
  }

  fileprivate func remove(_ number: Int, in queue: QueueID) {
    lock.withLock {
      byQueue[queue]?[number] = nil
      if byQueue[queue]?.isEmpty == true { byQueue[queue] = nil }
    }
  }
}

/// A download, or a part of an upload.
///
/// `@unchecked Sendable`: its lock guards all state.
final class Transfer: @unchecked Sendable {
  let queue: QueueID
  let user: UserID
  private let isWriting: Bool
  private let table: TransferTable
  private let number: Int
  private let lock = NSLock()
  private var grant: GrantID?
  /// Whether members of the queue may have changed before the grant was known.
  private var isDoubtful = false
  private var end: RequestError?
  private var whenEnded: (@Sendable () -> Void)?

  fileprivate init(_ queue: QueueID, _ user: UserID, isWriting: Bool, _ table: TransferTable, _ number: Int) {
    (self.queue, self.user, self.isWriting) = (queue, user, isWriting)
    (self.table, self.number) = (table, number)
  }

  deinit { table.remove(number, in: queue) }

  /// Begins the transfer under a membership that was read after `register`. Throws `unavailable` if members may have
  /// changed since it was read.
  func begin(under membership: StoredMembership) throws {
    try lock.withLock {
      guard !isDoubtful else { throw RequestError(.unavailable, "The members are changing; ask again.") }
      grant = membership.grant
    }
  }

  /// Throws if a change of members has ended the transfer.
  func check() throws {
    if let end = lock.withLock({ end }) { throw end }
  }

  /// Calls `body` when a change of members ends the transfer, or at once if one has.
  func onEnd(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = lock.withLock {
      whenEnded = end == nil ? body : nil
      return end != nil
    }
    if hasEnded { body() }
  }

  /// Ends the transfer if its user is no longer a member under the same grant, or may no longer upload.
  func compare(with membership: StoredMembership?, _ access: AccessTable) {
    end(FileService.forbidden) { transfer in
      guard let grant = transfer.grant else {
        transfer.isDoubtful = true
        return false
      }
      guard let membership, membership.grant == grant else { return true }
      return transfer.isWriting && !access.letsUpload(membership.role)
    }
  }

  /// Ends the transfer because the storage cannot tell whether the membership still holds.
  func endInDoubt() {
    end(RequestError(.unavailable, "The membership cannot be read now; ask again.")) { transfer in
      transfer.isDoubtful = true
      return true
    }
  }

  private func end(_ error: RequestError, where hasEnded: (Transfer) -> Bool) {
    let body = lock.withLock { () -> (@Sendable () -> Void)? in
      guard end == nil, hasEnded(self) else { return nil }
      end = error
      defer { whenEnded = nil }
      return whenEnded
    }
    body?()
  }
}

extension SyncService {
  /// Ends the transfers of a queue whose membership has ended. To be called after each transaction that may have
  /// changed members of the queue, even if it failed, and before the caller is answered.
  func endTransfers(in queue: QueueID) async {
    let transfers = transfers.transfers(in: queue)
    guard !transfers.isEmpty else { return }
    let users = Set(transfers.map(\.user))
    let tables = served.now
    let found = try? await storage.read { snapshot in
      let memberships = try users.map { ($0, try snapshot.membership(of: $0, in: queue)) }
      return (Dictionary(uniqueKeysWithValues: memberships), try tables.table(of: queue, snapshot))
    }
    for transfer in transfers {
      if let (memberships, access) = found {
        transfer.compare(with: memberships[transfer.user] ?? nil, access)
      } else {
        transfer.endInDoubt()
      }
    }
  }
}
