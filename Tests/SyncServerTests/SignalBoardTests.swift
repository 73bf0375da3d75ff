// Tests of the board of signals: what is told of them, for how long, and its bounds.

import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite final class SignalBoardTests {
  private var board = SignalBoard()

  private func show(_ change: SignalRequest.Change, by user: UserID, in session: UInt64 = 1) -> Bool {
    board.show(change, by: user, in: UUIDValue(high: 0, low: session))
  }
  private func publish() -> [QueueID] { board.publish() }

  private static func change(
    _ text: String?, type: String = "typing", in queue: QueueID = .queue(1), seconds: Int = 5
  ) -> SignalRequest.Change {
    SignalRequest.Change(queue: queue, type: type, content: text.map { Array($0.utf8) }, seconds: seconds)
  }

  /// What a user is told of a queue.
  private func told(_ user: UserID, of queue: QueueID = .queue(1)) -> [String] {
    board.signals(of: queue, for: user).signals.map { "\($0.type) \(String(decoding: $0.content, as: UTF8.self))" }
  }

  private func pass(_ milliseconds: Int64) -> [QueueID] {
    board.advance(milliseconds: milliseconds)
    return publish()
  }

  @Test func othersAreTold() {
    #expect(show(Self.change("a"), by: .anna))
    #expect(publish() == [.queue(1)])
    #expect(told(.ben) == ["typing a"] && told(.anna) == [], "nobody is told of their own")
    #expect(told(.ben, of: .queue(2)) == [])
    #expect(board.state(of: .queue(1), for: .ben) != nil && board.state(of: .queue(1), for: .anna) == nil)
  }

  @Test func newerSignalTakesThePlace() {
    #expect(show(Self.change("a"), by: .anna) && show(Self.change("b"), by: .anna))
    #expect(show(Self.change("c", type: "looking"), by: .anna))
    _ = publish()
    #expect(told(.ben) == ["looking c", "typing b"] && board.count == 2 && board.bytes == 2 * 257)
    #expect(show(Self.change(nil), by: .anna) && board.count == 1 && board.bytes == 257)
    _ = pass(1_000)
    #expect(told(.ben) == ["looking c"])
  }

  /// At once, and then at most once a second.
  @Test func publishesOnceASecond() {
    #expect(show(Self.change("a"), by: .anna) && publish() == [.queue(1)])
    #expect(show(Self.change("b"), by: .anna) && publish() == [])
    #expect(told(.ben) == ["typing a"])
    #expect(pass(999) == [] && pass(1) == [.queue(1)])
    #expect(told(.ben) == ["typing b"])
    #expect(pass(1_000) == [], "nothing has changed")
    #expect(show(Self.change("b"), by: .anna) && publish() == [], "shown longer is no news")
    #expect(show(Self.change("c", in: .queue(2)), by: .anna) && publish() == [.queue(2)])
  }

  @Test func endsWhenItsTimeIsOver() {
    #expect(show(Self.change("a"), by: .anna) && publish() == [.queue(1)])
    #expect(pass(4_000) == [])
    #expect(show(Self.change("a"), by: .anna))
    #expect(pass(4_999) == [] && told(.ben) == ["typing a"])
    #expect(pass(1) == [.queue(1)] && told(.ben) == [])
    #expect(board.state(of: .queue(1), for: .ben) == nil && board.bytes == 0 && !board.isEmpty)
    #expect(pass(1_000) == [] && board.isEmpty, "nothing is left of it")
  }

  @Test func membersWhoLeaveAreRemoved() {
    for user in [UserID.anna, .ben] { #expect(show(Self.change("a"), by: user)) }
    _ = publish()
    board.remove([.anna], from: .queue(1))
    #expect(pass(1_000) == [.queue(1)] && told(.cleo) == ["typing a"] && told(.ben) == [])
    board.remove(nil, from: .queue(1))
    #expect(board.count == 0)
  }

  /// The signal that was changed last counts, and not the one that was shown last. If it goes, the other one is there.
  @Test func devicesOfAUserAreOne() {
    #expect(show(Self.change("phone"), by: .anna, in: 1) && publish() == [.queue(1)])
    #expect(show(Self.change("tablet"), by: .anna, in: 2) && pass(1_000) == [.queue(1)])
    #expect(show(Self.change("phone"), by: .anna, in: 1) && pass(1_000) == [])
    #expect(told(.ben) == ["typing tablet"] && told(.anna) == [])
    #expect(show(Self.change(nil), by: .anna, in: 2) && publish() == [.queue(1)])
    #expect(told(.ben) == ["typing phone"])
    #expect(show(Self.change("phone"), by: .anna, in: 3) && pass(1_000) == [], "others see the same")
    #expect(show(Self.change(nil), by: .anna, in: 1) && pass(1_000) == [] && told(.ben) == ["typing phone"])
  }

  @Test func usersAndQueuesAreBounded() {
    for number in 1...SignalBoard.perUserInQueue {
      #expect(show(Self.change("a", type: "t\(number)", in: .queue(500)), by: .cleo))
    }
    #expect(!show(Self.change("a", in: .queue(500)), by: .cleo) && show(Self.change("a", in: .queue(501)), by: .cleo))
    board.remove(nil, from: .queue(500))
    board.remove(nil, from: .queue(501))
    for number in 1...SignalBoard.perUser {
      #expect(show(Self.change("a", in: .queue(UInt64(number))), by: .anna))
    }
    #expect(!show(Self.change("a", in: .queue(100)), by: .anna))
    #expect(show(Self.change("b", in: .queue(1)), by: .anna), "in the place of another")
    for number in 1..<UInt64(ProtocolLimits.queueSignals) {
      #expect(show(Self.change("a"), by: UserID(high: 9, low: number)))
    }
    #expect(!show(Self.change("a"), by: .ben))
    #expect(show(Self.change(nil), by: .anna) && show(Self.change("a"), by: .ben))
    #expect(board.count == SignalBoard.perUser - 1 + ProtocolLimits.queueSignals)
  }

  /// Against a list of all that was shown, which knows no states and no bounds.
  @Test(arguments: 0..<UInt64(200))
  func tellsWhatIsShown(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    struct Plain {
      var user: UserID
      var type: String
      var text: String
      var until: Int64

      var name: String { "\(user) \(type) \(text)" }
    }
    var (shown, published): ([Plain], [Plain]) = ([], [])
    var (now, next, isChanged): (Int64, Int64, Bool) = (0, 0, false)
    var states: [UUIDValue?: [String]] = [nil: []]
    for _ in 0..<60 {
      let user = random.pick([UserID.anna, .ben, .cleo])
      let type = random.pick(["typing", "looking"])
      let text = random.chance(30) ? nil : random.pick(["a", "b"])
      let seconds = 1 + random.below(8)
      #expect(show(Self.change(text, type: type, seconds: seconds), by: user))
      let known = shown.first { $0.user == user && $0.type == type }
      shown.removeAll { $0.user == user && $0.type == type }
      if let text { shown.append(Plain(user: user, type: type, text: text, until: now + Int64(seconds) * 1_000)) }
      if known?.text != text { isChanged = true }
      let pause = Int64(random.below(1_500))
      for step in [0, pause] {
        now += step
        if shown.contains(where: { $0.until <= now }) { isChanged = true }
        shown.removeAll { $0.until <= now }
        let isOther = Set(shown.map(\.name)) != Set(published.map(\.name))
        let publishes = isChanged && now >= next && isOther
        if isChanged, now >= next { isChanged = false }
        if publishes { (published, next) = (shown, now + 1_000) }
        #expect(pass(step) == (publishes ? [.queue(1)] : []), "seed \(seed)")
      }
      for reader in [UserID.anna, .ben, .cleo] {
        let expected = published.filter { $0.user != reader }
          .sorted { ($0.user, $0.type) < ($1.user, $1.type) }.map { "\($0.type) \($0.text)" }
        #expect(told(reader) == expected, "seed \(seed)")
        // A state stands for one set of signals.
        let state = board.signals(of: .queue(1), for: reader).state
        let names = published.filter { $0.user != reader }.map(\.name).sorted()
        #expect(states[state, default: names] == names, "seed \(seed)")
        states[state] = names
      }
    }
  }
}
