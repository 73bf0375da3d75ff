// Tests of small parts of the server by themselves: rates, memory, lengths of time, the text of metrics.

import SyncProtocol
import Testing
import WireFormat

@testable import modelserver

@Suite struct PartTests {
  @Test func requestRateRefillsOverTime() {
    let rate = RequestRate(perSecond: 10)
    let start = ContinuousClock.now
    func taken(_ count: Int, _ user: UserID, after milliseconds: Int) -> Int {
      (0..<count).filter { _ in rate.take(user, at: start + .milliseconds(milliseconds)) }.count
    }
    #expect(taken(30, .number(1), after: 0) == 20, "twice as many at once")
    #expect(taken(30, .number(1), after: 500) == 5)
    #expect(taken(30, .number(2), after: 500) == 20, "somebody else has a bucket too")
    #expect(taken(50, .number(1), after: 100_000) == 20)
  }

  @Test func oneUserTakesAQuarterOfBodyMemory() {
    let (anna, ben) = (UserID.number(1), UserID.number(2))
    let memory = BodyMemory(bytes: 100 << 20)
    #expect(memory.take(25 << 20, for: anna))
    #expect(!memory.take(1, for: anna))
    #expect(memory.take(1, for: ben))
    memory.give(back: 1 << 20, of: anna)
    #expect(memory.take(1 << 20, for: anna))
    #expect(!memory.take(1, for: anna))
  }

  @Test func returnedMemoryCanBeTakenAgain() {
    let memory = BodyMemory(bytes: 100 << 20)
    let users = (0..<4).map { UserID.number($0) }
    for user in users { #expect(memory.take(20 << 20, for: user)) }
    #expect(!memory.take(10 << 20, for: .number(9)))
    for user in users { memory.give(back: 20 << 20, of: user) }
    for user in users { #expect(memory.take(20 << 20, for: user)) }
  }

  /// Four users with large bodies take what they can get. The others still get room for their small requests.
  @Test func smallRequestsHaveRoomBesideLargeBodies() {
    let memory = BodyMemory(bytes: 256 << 20)
    for user in 0..<4 as Range<UInt64> { while memory.take(1 << 19, for: .number(user)) {} }
    let others = (10..<42 as Range<UInt64>).filter { memory.take(1 << 20, for: .number($0)) }
    #expect(others.count == 32, "an eighth of the memory")
    #expect(!memory.take(1, for: .number(50)) && !memory.take(1, for: .number(0)))
  }

  /// While memory is short an answer may have a part of what is kept for users with little, the largest object at first.
  @Test func answersShrinkWhileMemoryIsShort() {
    let memory = BodyMemory(bytes: 256 << 20)
    #expect(memory.room(for: .number(9)) == 64 << 20)
    for user in 0..<4 as Range<UInt64> { while memory.take(1 << 19, for: .number(user)) {} }
    #expect(memory.room(for: .number(0)) == 0)
    var rooms: [Int] = []
    for user in 10..<200 as Range<UInt64> {
      rooms.append(memory.room(for: .number(user)))
      #expect(memory.take(rooms.last ?? 0, for: .number(user)))
    }
    #expect(rooms[0] > ProtocolLimits.answerBytes(ofContent: ProtocolLimits.objectBytes))
    #expect(rooms == rooms.sorted(by: >) && rooms[20] > 1 << 16)
  }

  /// The smallest memory has room for a body of the largest size beside 1 MB of the same user's.
  @Test func theSmallestMemoryIsEnoughForOneBody() {
    let memory = BodyMemory(bytes: 8 << 20)
    #expect(memory.take(1 << 20, for: .number(1)) && memory.take(ProtocolLimits.requestBytes, for: .number(1)))
  }

  @Test func repeatedErrorIsLoggedOnceAMinute() {
    let errors = RepeatedErrors()
    let start = ContinuousClock.now
    #expect(errors.isNew("Full.", at: start) && errors.isNew("Busy.", at: start))
    for second in 1..<60 { #expect(!errors.isNew("Full.", at: start + .seconds(second))) }
    #expect(errors.lines(at: start + .seconds(59)).isEmpty)
    #expect(errors.lines(at: start + .seconds(60)) == ["Full. (and 59 times more)"])
    #expect(errors.isNew("Busy.", at: start + .seconds(61)), "it was not repeated for a minute")
    #expect(!errors.isNew("Full.", at: start + .seconds(61)), "it goes on")
    #expect(errors.lines(at: start + .seconds(200)) == ["Full. (and 1 times more)"])
    #expect(errors.lines(at: start + .seconds(300)).isEmpty && errors.isNew("Full.", at: start + .seconds(300)))
  }

  @Test(
    arguments: [
      ("90s", 90_000), ("15m", 900_000), ("12h", 43_200_000), ("30d", 2_592_000_000), ("0s", nil), ("5", nil),
      ("", nil),
      ("d", nil), ("-1d", nil), ("1w", nil), ("9223372036854775807d", nil), ("400000d", nil), ("1.5h", nil),
    ] as [(String, Int64?)])
  func parsesLengthsOfTime(text: String, milliseconds: Int64?) {
    #expect(Span(argument: text)?.milliseconds == milliseconds)
    if let span = Span(argument: text) { #expect(Span(argument: span.description)?.milliseconds == milliseconds) }
  }

  @Test func printsCountersAndGaugesAsText() {
    let metrics = Metrics()
    let request = Metrics.Request(route: "files", method: "GET", status: 200)
    metrics.answered(request, call: "files", codes: [], took: .milliseconds(3))
    metrics.answered(request, call: "files", codes: ["NOT_FOUND"], took: .milliseconds(300))
    let gauges = Metrics.Gauges(connections: 3, strangers: 1, parkedPolls: 2, transactions: 9, syncs: 4)
    let text = metrics.text(gauges)
    for line in [
      "# TYPE modelserver_requests_total counter", #"modelserver_call_seconds_bucket{call="files",le="0.0025"} 0"#,
      #"modelserver_call_seconds_bucket{call="files",le="0.005"} 1"#,
      #"modelserver_call_seconds_bucket{call="files",le="+Inf"} 2"#, "modelserver_parked_polls 2",
      "modelserver_connections 3",
      "modelserver_strangers 1", "modelserver_transactions_total 9", "modelserver_syncs_total 4",
    ] { #expect(text.contains(line + "\n"), "\(line)") }
    #expect(text == metrics.text(gauges))
  }
}
