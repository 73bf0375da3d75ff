// Carries out requests from their beginning to their end, and notes what has failed.

import ClientStore
import SyncProtocol
import WireFormat

extension SyncClient {
  func perform(_ turn: Turn) async {
    do {
      let results = try await carryOut(turn)
      try await finish(.ended(turn, results))
    } catch {
      fail(error)
    }
    ring()
  }

  /// `interrupts`: has an element once the poll is to end early.
  func performPoll(_ request: ChangedRequest, _ interrupts: AsyncStream<Void>) async {
    do {
      let event = try await poll(request, interrupts)
      // Whatever has failed, the next poll may be far.
      if case .pollFailed = event { store.loseHeardSignals() }
      try await finish(event)
    } catch {
      fail(error)
    }
    ring()
  }

  /// Tells the machine how a request has ended, and stores what follows from that.
  private func finish(_ event: SyncMachine.Event) async throws {
    handle(event)
    try await storeFailures()
    try await releaseFiles()
  }

  private func carryOut(_ turn: Turn) async throws -> Turn.Results {
    do {
      switch turn.kind {
      case .push: return try await push(turn)
      case .pull, .load: return try await pull(turn)
      }
    } catch let failure as SyncFailure {
      return Task.isCancelled ? turn.all(.nothing) : turn.failed(failure)
    } catch let error as StoreError where error.isPassing {
      return turn.failed(SyncFailure(passing: error))
    }
  }

  /// Stores the failures that have changed, so that the store can tell why nothing is sent, also after a restart. A
  /// full disk or a locked database does not stop sync.
  private func storeFailures() async throws {
    let failures = machine.failures
    // Sorted, so that a simulation can be repeated.
    let queues = Set(noted.keys).union(failures.keys).sorted()
    for queue in queues where noted[queue] != failures[queue] {
      try check()
      noted[queue] = failures[queue]
      do { try await store.remember(failures[queue], in: queue) } catch let error as StoreError
        where error.isPassing
      {}
    }
  }
}
