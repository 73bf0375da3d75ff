// How many transactions were written, and with how many commits of the database.

import Foundation

/// `@unchecked Sendable`: its lock guards all state.
package final class WriteCounts: @unchecked Sendable {
  private let lock = NSLock()
  private var transactions = 0
  private var syncs = 0

  package init() {}

  /// Transactions of callers, and the syncs of the disk that have made them durable.
  package var value: (transactions: Int, syncs: Int) { lock.withLock { (transactions, syncs) } }

  /// Notes transactions that were written together.
  package func add(_ count: Int) {
    lock.withLock {
      transactions += count
      syncs += 1
    }
  }
}
