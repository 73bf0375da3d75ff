// Signals: members show values to a queue for seconds, and polls tell of them.

package import SyncProtocol
import WireFormat

extension SyncService {
  /// Shows signals, or takes them back. Takes none to queues of which the user is no member, and says only how many it
  /// took: nobody learns what queues there are.
  package func signal(_ request: SignalRequest, by asker: Asker) async throws -> SignalAnswer {
    var shown = request
    var taken: [SignalRequest.Change]?
    repeat {
      // Asked before the read: a member who is taken out meanwhile shows nothing any more.
      let removals = await signals.removals
      let open = try await openQueues(of: request, to: asker)
      shown.signals = request.signals.filter { open.contains($0.queue) }
      taken = await signals.show(shown, by: asker.user, removals: removals)
    } while taken == nil
    shown.signals = taken ?? []
    if !shown.signals.isEmpty { storage.tellOthers(.signals(SignalNews(of: asker.user, shown))) }
    return SignalAnswer(time: now, taken: shown.signals.count)
  }

  /// The queues of a request of which the asker is a member.
  private func openQueues(of request: SignalRequest, to asker: Asker) async throws -> Set<QueueID> {
    let queues = Set(request.signals.map(\.queue)).filter { asker.mayAsk(for: $0) }
    return try await storage.read { snapshot in
      try queues.filter {
        try snapshot.membership(of: asker.user, in: $0) != nil && snapshot.queue($0)?.schema == asker.schema
      }
    }
  }

  /// How many signals are shown now.
  package var shownSignals: Int { get async { await signals.count } }
}
