// The signals of a store, under a lock of their own: nothing of them is on disk, or in the outbox.

import Determinism
package import SyncProtocol
import WireFormat

/// What this device shows, and what others show.
struct StoreSignals {
  var shown = ShownSignals()
  var heard = HeardSignals()
  /// The id of this open store for the server; nil before the first signal was sent.
  var session: UUIDValue?
}

extension ModelStore {
  /// Wakes all watchers, as when the store is closed.
  func wakeWatchers() {
    for wake in signals.withLock({ $0.heard.wakes }) { wake() }
  }
}

// For the client that syncs.
extension ModelStore {
  /// What is to be sent now, and counts as sent; nil if there is nothing.
  package func takeSignals() -> SignalRequest? {
    let changes = signals.withLock { $0.shown.take(at: environment.nowMilliseconds()) }
    if changes.isEmpty { return nil }
    let session = signals.withLock { signals in
      let session = signals.session ?? UUIDValue(high: environment.randomBits(), low: environment.randomBits())
      signals.session = session
      return session
    }
    return SignalRequest(session: session, signals: changes)
  }

  /// Takes in that the server did not take all signals of a request.
  package func wereNotTaken(_ request: SignalRequest) {
    signals.withLock { $0.shown.wereNotTaken(request.signals, at: environment.nowMilliseconds()) }
  }

  /// When there are signals to send, in milliseconds by the device's clock; nil if there are none.
  package var signalsDue: Int64? { signals.withLock { $0.shown.due } }

  /// The queues whose signals the app watches, with what it knows of them.
  package var watchedQueues: [WatchedQueue] { signals.withLock { $0.heard.watched } }

  /// Takes in the answer to a poll: what others show.
  package func hear(_ news: [QueueSignals]) {
    for wake in signals.withLock({ $0.heard.hear(news, at: environment.nowMilliseconds()) }) { wake() }
  }

  /// Forgets what this device shows: it was not sent.
  package func loseShownSignals() { signals.withLock { $0.shown.lose() } }

  /// Forgets what others show: nobody knows it now.
  package func loseHeardSignals() {
    for wake in signals.withLock({ $0.heard.lose() }) { wake() }
  }
}
