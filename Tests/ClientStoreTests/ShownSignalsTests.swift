// Tests of what a device shows and hears: what is sent and when, and what is watched.

import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import ClientStore

@Suite final class ShownSignalsTests {
  private var shown = ShownSignals()
  private var heard = HeardSignals()

  private func show(_ text: String, in queue: QueueID = .queue(1), at now: Int64) -> Bool {
    shown.show(Array(text.utf8), as: "typing", in: queue, for: 5_000, at: now, by: 1)
  }

  private func hide(in queue: QueueID = .queue(1)) -> Bool { shown.hide("typing", in: queue) }
  private func hear(_ news: [QueueSignals]) -> Int { heard.hear(news, at: 0).count }
  private func watch(_ queue: QueueID, _ wake: @escaping @Sendable () -> Void = {}) -> Int {
    heard.watch(queue, wake).watcher
  }
  private func lose() -> Int { heard.lose().count }

  /// What is sent at a time: the texts with their seconds.
  private func sent(at now: Int64) -> [String] {
    shown.take(at: now).map { change in
      change.content.map { "\(String(decoding: $0, as: UTF8.self)) \(change.seconds)" } ?? "none"
    }
  }

  @Test func sameSignalGoesOnceHalfOfItsTimeIsOver() {
    #expect(show("a", at: 0) && sent(at: 0) == ["a 5"] && shown.due == nil)
    #expect(show("a", at: 1_000) && sent(at: 1_000) == [] && shown.due == 2_500, "a timer is needed")
    #expect(!show("a", at: 2_000) && sent(at: 2_499) == [])
    #expect(sent(at: 2_500) == ["a 5"], "4.5 seconds, rounded up")
    #expect(shown.due == nil, "it is not shown any longer")
    #expect(sent(at: 60_000) == [])
  }

  @Test func anotherContentGoesAtOnce() {
    #expect(show("a", at: 0) && sent(at: 0) == ["a 5"])
    #expect(show("b", at: 10) && !show("c", at: 20), "it waits to be sent already")
    #expect(sent(at: 20) == ["c 5"], "the newest only")
    #expect(show("d", in: .queue(2), at: 20) && sent(at: 20) == ["d 5"])
  }

  @Test func signalThatIsTakenBackIsSentOnce() {
    #expect(!hide(), "nothing was shown")
    #expect(show("a", at: 0) && !hide(), "it was not sent yet")
    #expect(sent(at: 0) == [])
    #expect(show("a", at: 0) && sent(at: 0) == ["a 5"])
    #expect(hide() && sent(at: 1) == ["none"] && shown.due == nil)
    #expect(show("a", at: 2) && sent(at: 2) == ["a 5"])
    #expect(hide() && sent(at: 6_000) == [], "the server has dropped it by itself")
  }

  @Test func olderShowingGivesWay() {
    let (old, new) = (shown.newShowing(), shown.newShowing())
    func show(_ text: String, by showing: Int, at now: Int64) {
      _ = shown.show(Array(text.utf8), as: "typing", in: .queue(1), for: 5_000, at: now, by: showing)
    }
    show("a", by: old, at: 0)
    #expect(!shown.isTaken("typing", in: .queue(1), from: old, at: 0))
    show("b", by: new, at: 0)
    #expect(shown.isTaken("typing", in: .queue(1), from: old, at: 4_999) && sent(at: 0) == ["b 5"])
    let isHidden = shown.hide("typing", in: .queue(1), by: old)
    #expect(!isHidden && sent(at: 1) == [], "it is of another one")
    #expect(!shown.isTaken("typing", in: .queue(1), from: old, at: 5_000), "its time is over")
    let isTakenBack = shown.hide("typing", in: .queue(1), by: new)
    #expect(isTakenBack && sent(at: 2) == ["none"])
    #expect(!shown.isTaken("typing", in: .queue(1), from: old, at: 2))
  }

  @Test func clockThatIsSetBackSilencesNobody() {
    #expect(show("a", at: 3_600_000) && sent(at: 3_600_000) == ["a 5"])
    #expect(show("a", at: 0) && sent(at: 0) == ["a 5"])
  }

  @Test func signalThatWasNotTakenGoesOnceMore() {
    #expect(show("a", at: 0))
    let changes = shown.take(at: 0)
    shown.wereNotTaken(changes, at: 100)
    #expect(sent(at: 1_099) == [] && shown.due == 1_100 && sent(at: 1_100) == ["a 4"])
  }

  @Test func whatIsOldOrLostIsNotSent() {
    #expect(show("a", at: 0) && sent(at: 5_000) == [] && shown.due == nil)
    #expect(show("b", at: 6_000))
    shown.lose()
    #expect(sent(at: 6_000) == [] && !hide())
  }

  @Test func requestHasAtMostTwenty() {
    for number in 1...UInt64(25) { #expect(show("a", in: .queue(number), at: 0)) }
    #expect(sent(at: 0).count == ProtocolLimits.signals && shown.due == .min)
    #expect(sent(at: 0).count == 5 && shown.due == nil)
  }

  /// Whatever is shown, the server drops it no more than a second later, and half a lifetime earlier, than its last call
  /// said.
  @Test(arguments: 0..<UInt64(200))
  func serverShowsWhatIsTrue(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (truth, truthUntil): (String?, Int64) = (nil, 0)
    var (served, servedUntil): (String?, Int64) = (nil, 0)
    for now in stride(from: Int64(0), to: 60_000, by: 100) {
      if random.chance(4) {
        truth = random.pick(["a", "b"])
        truthUntil = now + 5_000
        _ = show(truth ?? "", at: now)
      }
      if random.chance(1) {
        truth = nil
        _ = hide()
      }
      if now >= truthUntil { truth = nil }
      if shown.due ?? .max <= now {
        for change in shown.take(at: now) {
          served = change.content.map { String(decoding: $0, as: UTF8.self) }
          servedUntil = now + Int64(change.seconds) * 1_000
        }
      }
      if now >= servedUntil { served = nil }
      let isEnding = served != nil && truth == nil && servedUntil - truthUntil < 1_000 && now >= truthUntil
      #expect(served == truth || isEnding, "seed \(seed) at \(now): \(served ?? "-") for \(truth ?? "-")")
    }
  }

  @Test func watchedQueuesAreFollowed() {
    let woken = Locked(0)
    let wake: @Sendable () -> Void = { woken.withLock { $0 += 1 } }
    let first = watch(.queue(1), wake)
    _ = watch(.queue(2), wake)
    #expect(heard.watched == [WatchedQueue(.queue(2)), WatchedQueue(.queue(1))])
    let state = UUIDValue(high: 7, low: 7)
    let signal = QueueSignals.Signal(user: UserID(high: 1, low: 1), type: "typing", content: [1])
    let news = [
      QueueSignals(queue: .queue(1), state: state, signals: [signal]),
      QueueSignals(queue: .queue(9), state: state, signals: [signal]),
    ]
    #expect(hear(news) == 1 && hear(news) == 0, "it is known")
    #expect(heard.signals(in: .queue(1), at: 60_000) == [signal] && heard.signals(in: .queue(9), at: 0) == [])
    #expect(heard.watched.last == WatchedQueue(.queue(1), state: state))
    #expect(lose() == 1 && heard.signals(in: .queue(1), at: 0) == [] && heard.watched.last?.state == nil)
    #expect(hear(news) == 1 && heard.signals(in: .queue(1), at: 60_001) == [], "nobody knows any more")
    heard.end(first, of: .queue(1))
    #expect(heard.watched.map(\.queue) == [.queue(2)])
    #expect(hear([QueueSignals(queue: .queue(2), state: state, signals: [signal])]) == 1)
    for number in 10..<UInt64(29) { _ = watch(.queue(number)) }
    #expect(heard.signals(in: .queue(2), at: 0) == [signal] && heard.watched.count == ProtocolLimits.watchedQueues)
    #expect(heard.watch(.queue(29), wake).wakes.count == 1 && heard.signals(in: .queue(2), at: 0) == [])
    #expect(heard.watched.count == ProtocolLimits.watchedQueues && heard.watched.first?.queue == .queue(29))
    #expect(woken.withLock { $0 } == 0, "its caller wakes")
  }
}
