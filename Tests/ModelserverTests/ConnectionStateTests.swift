// Tests of the states of a connection: after each sequence of events, its deadline, and the action at the deadline.

import Testing

@testable import modelserver

@Suite struct ConnectionStateTests {
  /// An event of a connection. The table has its time in seconds.
  enum Event {
    case bytes, head, body, end, answerBegins, answerGoesOn, answerIsWritten, answerEnds
  }

  /// Heads may take 10, idleness 75 and lingering 5 seconds. A body brings 100 bytes in each 30 seconds.
  private static let times = ConnectionTimes(head: 10, body: 30, bytesOfBody: 100, idle: 75, linger: 5)

  static let table: [(events: [(Int64, Event)], deadline: Int64?, action: ConnectionState.Action)] = [
    ([], 75, .close),
    ([(2, .bytes)], 12, .timeOut),
    // More of the same head does not give it more time.
    ([(2, .bytes), (9, .bytes)], 12, .timeOut),
    ([(2, .bytes), (3, .head)], 33, .timeOut),
    ([(2, .bytes), (3, .head), (20, .body)], 33, .timeOut),
    // A body may take any time if it keeps its pace: 100 bytes begin the time anew, 40 or 80 do not.
    ([(3, .head), (10, .body), (20, .body)], 33, .timeOut),
    ([(3, .head), (10, .body), (20, .body), (32, .body)], 62, .timeOut),
    ([(3, .head), (10, .body), (20, .body), (32, .body), (50, .body), (60, .body)], 62, .timeOut),
    // The client waits for the server.
    ([(3, .head), (4, .end)], nil, .close),
    ([(3, .head), (4, .end), (5, .answerBegins)], 35, .close),
    ([(3, .head), (4, .end), (5, .answerBegins), (20, .answerGoesOn)], 50, .close),
    ([(3, .head), (4, .end), (5, .answerBegins), (6, .answerEnds)], 81, .close),
    // The next request began to come while the first was answered.
    ([(3, .head), (4, .end), (5, .bytes), (6, .answerBegins), (7, .answerEnds)], 17, .timeOut),
    // The body of a second, pipelined request does not come. A client could not tell which request is timed out.
    ([(3, .head), (4, .end), (5, .head)], 35, .close),
    // Answered before the body came. The client may still send a little.
    ([(3, .head), (5, .answerBegins), (6, .answerEnds)], 11, .close),
  ]

  @Test(arguments: table.indices) func deadlines(index: Int) {
    let row = Self.table[index]
    var state = ConnectionState(Self.times, at: 0)
    for (time, event) in row.events { apply(event, at: time, to: &state) }
    #expect(state.deadline == row.deadline)
    #expect(state.expired() == row.action || row.deadline == nil)
  }

  private func apply(_ event: Event, at time: Int64, to state: inout ConnectionState) {
    switch event {
    case .bytes: state.bytesCame(at: time)
    case .head: state.headCame(at: time)
    case .body: state.bodyCame(40, at: time)
    case .end: _ = state.requestEnded()
    case .answerBegins: _ = state.answerBegan(at: time)
    case .answerGoesOn: state.answerWentOn(at: time)
    case .answerIsWritten: state.answerWasWritten()
    case .answerEnds: _ = state.answerWasSent(at: time)
    }
  }

  @Test func anEarlyAnswerClosesTheConnection() {
    var state = ConnectionState(Self.times, at: 0)
    state.headCame(at: 1)
    let isLast = state.answerBegan(at: 2)
    #expect(isLast)
    #expect(state.answerWasSent(at: 3) == .linger && state.isLingering)
    #expect(state.requestEnded() == .close)
    // If the body ends before the answer does, there is nothing to wait for.
    state = ConnectionState(Self.times, at: 0)
    state.headCame(at: 1)
    let isLastToo = state.answerBegan(at: 2)
    #expect(isLastToo)
    #expect(state.requestEnded() == .nothing)
    #expect(state.answerWasSent(at: 3) == .close)
  }

  @Test func connectionStaysOpenAfterWholeRequests() {
    var state = ConnectionState(Self.times, at: 0)
    for time in [1, 10, 20] as [Int64] {
      state.headCame(at: time)
      #expect(state.requestEnded() == .nothing)
      #expect(!state.isBetweenRequests)
      let isLast = state.answerBegan(at: time + 1)
      #expect(!isLast)
      #expect(state.answerWasSent(at: time + 2) == .nothing)
      #expect(state.isBetweenRequests)
    }
  }

  /// The parser reads nothing behind a request for another protocol, so its answer is the last one.
  @Test func connectionEndsAfterRequestForAnotherProtocol() {
    var state = ConnectionState(Self.times, at: 0)
    state.headCame(at: 1)
    #expect(state.requestEnded() == .nothing)
    state.headCame(isLast: true, at: 2)
    #expect(state.requestEnded() == .nothing)
    let first = state.answerBegan(at: 3)
    #expect(!first && state.answerWasSent(at: 4) == .nothing)
    let second = state.answerBegan(at: 5)
    #expect(second && state.answerWasSent(at: 6) == .close)
  }

  /// A client that pipelines more requests gets the answers to the first ones, and has to connect again.
  @Test func dropsRequestsBeyondTheUnanswered() {
    var state = ConnectionState(Self.times, at: 0)
    let most = ConnectionState.mostUnanswered
    let dropped = (0..<most + 2).map { _ in
      state.headCame(at: 1)
      _ = state.requestEnded()
      return state.isBehindLast
    }
    #expect(dropped == [Bool](repeating: false, count: most) + [true, true])
    let answers = (0..<most).map { _ in
      let isLast = state.answerBegan(at: 2)
      return (isLast, state.answerWasSent(at: 3))
    }
    #expect(answers.dropLast().allSatisfy { $0 == (false, .nothing) } && answers.last! == (true, .close))
  }

  /// What came behind a refusal is not answered.
  @Test func refusalIsTheLastAnswer() {
    var state = ConnectionState(Self.times, at: 0)
    for time in [1, 2] as [Int64] {
      state.headCame(at: time)
      _ = state.requestEnded()
    }
    let isLast = state.answerBegan(isLast: true, at: 3)
    #expect(isLast && state.isBehindLast && state.answerWasSent(at: 4) == .close)
  }

  /// An early answer begins while the answer before it is still being sent. The connection lingers only after both.
  @Test func earlyAnswerDoesNotCutThePreviousOne() {
    var state = ConnectionState(Self.times, at: 0)
    state.headCame(at: 1)
    #expect(state.requestEnded() == .nothing)
    let first = state.answerBegan(at: 2)
    state.answerWasWritten()
    state.headCame(at: 3)
    let second = state.answerBegan(at: 4)
    #expect(!first && second && !state.isSendingRest)
    state.answerWasWritten()
    #expect(state.isSendingRest && state.deadline == 32, "a second answer gives the first no more time")
    #expect(state.answerWasSent(at: 5) == .nothing)
    #expect(state.isSendingRest && state.deadline == 35)
    #expect(state.answerWasSent(at: 6) == .linger)
    #expect(!state.isSendingRest)
  }
}
