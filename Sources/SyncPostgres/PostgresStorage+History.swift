// Begins another history by hand: after a restore that PostgreSQL does not tell of.

import SyncServer
package import WireFormat

extension PostgresStorage {
  /// Clients send again what was acknowledged `since` that time; nil stands for ten minutes before the newest outcome.
  /// Returns the time. Servers read histories when they start, so none may run: throws `busy` if one does.
  package static func changeHistory(
    of address: String, since: Timestamp? = nil, to history: HistoryID
  ) throws -> Timestamp {
    try alone(with: address, creates: false) { sessions in
      try sessions.run(.writing(to: .zero)) { transaction in
        let since = try since ?? transaction.presumedLoss()
        transaction.begin(history, since: since)
        return since
      }
    }
  }
}
