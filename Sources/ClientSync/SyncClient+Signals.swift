// Sends what the app shows to queues. What others show comes with the poll.

import ClientStore
import Determinism
import SyncProtocol
import WireFormat

extension SyncClient {
  /// When signals may go next, and whether some are under way.
  struct SignalPace {
    var isUnderWay = false
    var next: Int64 = 0
  }

  /// Milliseconds between two requests with signals. The newest value of each goes.
  private static let pauseOfSignals: Int64 = 250

  private var maySendSignals: Bool {
    !signalPace.isUnderWay && !machine.isPaused && !machine.connection.hasFailed && machine.pace.isDue(at: now)
  }

  /// Whether signals are under way, or are to be sent now.
  var isSendingSignals: Bool {
    let now = environment.nowMilliseconds()
    return signalPace.isUnderWay || maySendSignals && signalPace.next <= now && store.signalsDue ?? .max <= now
  }

  /// The signals to send now; the request counts as under way.
  func beginSignals() -> [SignalRequest.Change] {
    guard !signalPace.isUnderWay, isSendingSignals else { return [] }
    let signals = store.takeSignals()
    let next = environment.nowMilliseconds() + Self.pauseOfSignals
    if !signals.isEmpty { signalPace = SignalPace(isUnderWay: true, next: next) }
    return signals
  }

  /// Milliseconds until signals are to be sent; nil if none wait.
  var signalWait: Int64? {
    guard maySendSignals, let due = store.signalsDue else { return nil }
    return max(due, signalPace.next, environment.nowMilliseconds() + 1) - environment.nowMilliseconds()
  }

  /// Sends signals once. If that fails they are lost, and the poll finds out what is wrong with the server.
  func perform(_ signals: [SignalRequest.Change]) async {
    do {
      let heard: Heard<SignalAnswer> = try await answer(
        .signal, SignalRequest(signals: signals), asked: store.history)
      handle(.answered([heard.answer.time], heard.history))
    } catch {
      store.loseShownSignals()
    }
    signalPace.isUnderWay = false
    ring()
  }

  /// Tells the machine which queues the app watches. While the server cannot be reached, nobody knows what is shown.
  func takeInSignals() {
    let watched = store.watchedQueues
    if watched != machine.watched { handle(.watching(watched)) }
    if machine.isPaused || machine.connection.hasFailed { store.loseSignals() }
  }
}
