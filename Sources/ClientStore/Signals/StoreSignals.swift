// The signals of a store, under a lock of their own: nothing of them is on disk, or in the outbox.

import Determinism
package import SyncProtocol
import WireFormat

/// What this device shows, and what others show.
struct StoreSignals {
  var shown = ShownSignals()
  var heard = HeardSignals()
}

extension ModelStore {
  /// Wakes all who watch, as when the store is closed.
  func wakeWatchers() {
    for wake in signals.withLock({ $0.heard.wakes }) { wake() }
  }
}

// For the client that syncs.
extension ModelStore {
  /// What is to be sent now, and counts as sent.
  package func takeSignals() -> [SignalRequest.Change] {
    signals.withLock { $0.shown.take(at: environment.nowMilliseconds()) }
  }

  /// When there are signals to send, in milliseconds by the device's clock; nil if there are none.
  package var signalsDue: Int64? { signals.withLock { $0.shown.due } }

  /// The queues whose signals the app watches, with what it knows of them.
  package var watchedQueues: [WatchedQueue] { signals.withLock { $0.heard.watched } }

  /// Takes in what others show.
  package func hear(_ news: [QueueSignals]) {
    if news.isEmpty { return }
    for wake in signals.withLock({ $0.heard.hear(news) }) { wake() }
  }

  /// Forgets what this device shows: it was not sent.
  package func loseShownSignals() { signals.withLock { $0.shown.lose() } }

  /// Forgets all signals, because the server cannot be reached.
  package func loseSignals() {
    let wakes = signals.withLock { signals in
      signals.shown.lose()
      return signals.heard.lose()
    }
    for wake in wakes { wake() }
  }
}
