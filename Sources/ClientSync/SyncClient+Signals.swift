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
  private static let pause: Int64 = 250
  /// Milliseconds that signals wait after a failure at most.
  private static let longestPause: Int64 = 60_000

  private var maySendSignals: Bool {
    !signalPace.isUnderWay && !machine.isPaused && !machine.connection.hasFailed && machine.pace.isDue(at: now)
  }

  /// Milliseconds until signals may go. A longer pause comes of a clock that was set back.
  private var pauseOfSignals: Int64 {
    let left = signalPace.next - environment.nowMilliseconds()
    return (0...Self.longestPause).contains(left) ? left : 0
  }

  /// Whether signals are under way, or are to be sent now.
  var isSendingSignals: Bool {
    if signalPace.isUnderWay { return true }
    return maySendSignals && pauseOfSignals == 0 && store.signalsDue ?? .max <= environment.nowMilliseconds()
  }

  /// The signals to send now; the request counts as under way.
  func beginSignals() -> SignalRequest? {
    guard !signalPace.isUnderWay, isSendingSignals, let request = store.takeSignals() else { return nil }
    signalPace = SignalPace(isUnderWay: true, next: environment.nowMilliseconds() + Self.pause)
    return request
  }

  /// Milliseconds until signals are to be sent; nil if none wait.
  var signalWait: Int64? {
    guard maySendSignals, let due = store.signalsDue else { return nil }
    let now = environment.nowMilliseconds()
    return max(due > now ? due - now : 1, pauseOfSignals)
  }

  /// Sends signals once. If that fails they are lost, and the poll finds out what is wrong with the server.
  func perform(_ request: SignalRequest) async {
    do {
      let heard: Heard<SignalAnswer> = try await answer(.signal, request, asked: store.history)
      handle(.answered([heard.answer.time], heard.history))
      if heard.answer.taken < request.signals.count { store.wereNotTaken(request) }
    } catch {
      store.loseShownSignals()
      let asked = (error as? SyncFailure)?.retryAfterMilliseconds ?? 0
      signalPace.next = environment.nowMilliseconds() + min(max(asked, 1_000), Self.longestPause)
    }
    signalPace.isUnderWay = false
    ring()
  }

  /// Tells the machine which queues the app watches. While the server cannot be reached, nobody knows what is shown.
  func takeInSignals() {
    if machine.isPaused || machine.connection.hasFailed {
      store.loseShownSignals()
      store.loseHeardSignals()
    }
    let watched = store.watchedQueues
    if watched != machine.watched { handle(.watching(watched)) }
  }
}
