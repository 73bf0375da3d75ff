// Tests of upkeep after the clock was set: it deletes nothing for a day after a jump ahead.

import Testing

@testable import modelserver

@Suite struct ClockJumpTests {
  private static let minute: Int64 = 60_000
  private static let day = ClockJump.wait

  @Test func upkeepWaitsForADayAfterAJump() {
    var jump = ClockJump(newest: 1_000_000, steady: 0)
    let usual = jump.look(wall: 1_000_000 + Self.minute, steady: Self.minute)
    #expect(!usual && jump.allowsUpkeep(lag: 0, steady: Self.minute))
    // A clock that is corrected by minutes has not jumped.
    let isCorrected = jump.look(wall: 1_000_000 + 30 * Self.minute, steady: 2 * Self.minute)
    #expect(!isCorrected)
    let hasJumped = jump.look(wall: 32 * Self.day, steady: 3 * Self.minute)
    #expect(hasJumped && !jump.allowsUpkeep(lag: 0, steady: 4 * Self.minute))
    let again = jump.look(wall: 32 * Self.day + Self.minute, steady: 4 * Self.minute)
    #expect(!again && jump.isWaiting(steady: 3 * Self.minute + Self.day - 1))
    #expect(jump.allowsUpkeep(lag: 0, steady: 3 * Self.minute + Self.day))
  }

  @Test func upkeepWaitsAfterAStartWithAClockThatIsAhead() {
    var late = ClockJump(newest: 1_000_000, steady: 0)
    let isLate = late.look(wall: 1_000_000 + 400 * Self.day, steady: 0)
    #expect(isLate && late.isWaiting(steady: Self.day - 1) && !late.isWaiting(steady: Self.day))
    var new = ClockJump(newest: 0, steady: 0)
    let isNew = new.look(wall: 1_000_000 + 400 * Self.day, steady: 0)
    #expect(!isNew && new.allowsUpkeep(lag: 0, steady: 0), "a new database has noted nothing")
  }

  @Test func upkeepWaitsWhileTheClockIsBehind() {
    let jump = ClockJump(newest: 1_000_000, steady: 0)
    #expect(!jump.allowsUpkeep(lag: ClockJump.most + 1, steady: 0) && jump.allowsUpkeep(lag: ClockJump.most, steady: 0))
  }
}
