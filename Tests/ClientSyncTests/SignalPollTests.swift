// Tests of polls that follow signals: when they are interrupted, and when they wait.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct SignalPollTests {
  private static let facts: SyncNews = {
    var place = QueuePlace()
    (place.load, place.grant, place.position) = (.loaded, GrantID(high: 1, low: 1), 0)
    return SyncNews(places: [.box: place], needs: [:])
  }()

  private static let state = UUIDValue(high: 7, low: 7)

  /// A machine whose poll waits.
  private static func waiting(_ watched: [QueueID] = [], state: UUIDValue? = nil) -> SyncMachine {
    var machine = SyncMachine.tested(home: .box)
    machine.tell(.watching(watched.map { WatchedQueue($0, state: state) }), facts)
    _ = machine.begin(facts, at: .zero)
    machine.tell(.nothingNew, facts)
    _ = machine.begin(facts, at: .zero)
    return machine
  }

  private static func signals(after milliseconds: Int64, _ machine: inout SyncMachine) -> Timestamp {
    let now = Timestamp(millisecondsSince1970: milliseconds)
    let answer = ChangedAnswer(
      time: .zero, ranges: [], places: [], signals: [QueueSignals(queue: .box, state: state, signals: [])])
    machine.tell(.polled(answer, .zero), facts, at: now)
    return now
  }

  @Test func watchingOneMoreQueueInterruptsThePoll() {
    var machine = Self.waiting()
    #expect(machine.poll.isWaiting && !machine.isPollOutdated)
    let watched = [WatchedQueue(.queue(5))]
    machine.tell(.watching(watched), Self.facts)
    #expect(machine.begin(Self.facts, at: .zero) == [.interruptPoll])
    machine.tell(.pollInterrupted, Self.facts)
    _ = machine.begin(Self.facts, at: .zero)
    #expect(machine.poll.request?.asked.watched == watched && machine.begin(Self.facts, at: .zero) == [])
    machine.tell(.watching([]), Self.facts)
    #expect(machine.begin(Self.facts, at: .zero) == [], "the poll may follow more than is watched")
  }

  /// A view comes again while the poll waits: the app knows nothing of the queue then.
  @Test func watchingAgainInterruptsThePoll() {
    var machine = Self.waiting([.box], state: Self.state)
    #expect(machine.poll.isWaiting && machine.poll.request?.asked.waitSeconds == 15)
    machine.tell(.watching([WatchedQueue(.box, state: Self.state)]), Self.facts)
    #expect(machine.begin(Self.facts, at: .zero) == [])
    machine.tell(.watching([WatchedQueue(.box)]), Self.facts)
    #expect(machine.begin(Self.facts, at: .zero) == [.interruptPoll])
  }

  /// The next poll waits at once: a room where many type does not end in a pause.
  @Test func signalsAreNews() {
    var machine = Self.waiting([.box])
    for turn in 1...10 {
      let now = Self.signals(after: Int64(turn) * 300, &machine)
      #expect(machine.poll.hasty == 0 && machine.wait(at: now) == nil)
      #expect(machine.begin(Self.facts, at: now).count == 1 && machine.poll.isWaiting)
    }
  }

  @Test func flickeringSignalsMakeThePollWait() {
    var machine = Self.waiting([.box])
    var now = Timestamp.zero
    for _ in 1...2 {
      now = Self.signals(after: now.millisecondsSince1970 + 10, &machine)
      #expect(machine.begin(Self.facts, at: now).count == 1)
    }
    now = Self.signals(after: now.millisecondsSince1970 + 10, &machine)
    #expect(machine.begin(Self.facts, at: now) == [] && machine.wait(at: now) == 250)
    #expect(machine.problem == nil, "nothing is wrong that a user should know")
    let later = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + 250)
    #expect(machine.begin(Self.facts, at: later).count == 1)
    _ = Self.signals(after: later.millisecondsSince1970 + 1_000, &machine)
    #expect(machine.flickerWait(at: later) == 0 && machine.poll.flickers == 0)
  }
}
