// Signals: members show values to a queue for seconds, and polls tell of them.

package import SyncProtocol
import WireFormat

extension SyncService {
  /// Shows signals, or takes them back. Takes none to queues of which the user is no member, and says only how many it
  /// took: nobody learns what queues there are.
  package func signal(_ request: SignalRequest, by asker: Asker) async throws -> SignalAnswer {
    let queues = Set(request.signals.map(\.queue)).filter { asker.mayAsk(for: $0) }
    let open = try await storage.read { snapshot in
      try queues.filter {
        try snapshot.membership(of: asker.user, in: $0) != nil && snapshot.queue($0)?.schema == asker.schema
      }
    }
    let changes = request.signals.filter { open.contains($0.queue) }
    guard !changes.isEmpty else { return SignalAnswer(time: now, taken: 0) }
    storage.tellOthers(.signals(SignalNews(of: asker.user, changes)))
    return SignalAnswer(time: now, taken: await signals.show(changes, by: asker.user))
  }

  /// How many signals are shown now.
  package var shownSignals: Int { get async { await signals.count } }
}
