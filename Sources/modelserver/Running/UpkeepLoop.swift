// The work in the background of a running server: it deletes old data, notes the time and checks its surroundings.

import Determinism
import Logging
import ServiceLifecycle
import SyncServer

struct UpkeepLoop: Service {
  let service: SyncService
  let files: FileService
  let rules: UpkeepRules
  /// From one upkeep to the next, in milliseconds.
  let everyMilliseconds: Int64
  let environment: RuntimeEnvironment
  let surroundings: Surroundings
  let errors: RepeatedErrors
  let logger: Logger
  /// The newest time that the server had noted before it started, in milliseconds.
  let newestNoted: Int64

  /// The server notes its time so often, and compares at the next start: a clock that was set back by less is not noticed.
  private static let notingMilliseconds: Int64 = 60_000

  private static let jumped = """
    The clock has jumped ahead by more than an hour, or the server was stopped for so long: it deletes nothing for a day. \
    If the clock is wrong, set it right and start the server again.
    """

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var untilUpkeep: Int64 = 0
      var surroundings = surroundings
      let start = ContinuousClock.now
      func steady() -> Int64 { Int64((.now - start) / Duration.milliseconds(1)) }
      var jump = ClockJump(newest: newestNoted, steady: 0)
      while !Task.isCancelled {
        surroundings.look(clockLag: service.clockLag)
        if jump.look(wall: environment.nowMilliseconds(), steady: steady()) { logger.warning("\(Self.jumped)") }
        for line in errors.lines(at: .now) { logger.error("\(line)") }
        if jump.isWaiting(steady: steady()) {
          untilUpkeep = 0
        } else if untilUpkeep <= 0, jump.allowsUpkeep(lag: service.clockLag, steady: steady()) {
          untilUpkeep = everyMilliseconds
          // It notes the time too.
          await attempt { try await service.performUpkeep(rules) }
          await attempt { try await files.performUpkeep(rules) }
        } else {
          await attempt { try await service.storeTime() }
        }
        let pause = untilUpkeep > 0 ? min(Self.notingMilliseconds, untilUpkeep) : Self.notingMilliseconds
        guard (try? await environment.sleep(milliseconds: pause)) != nil else { return }
        untilUpkeep -= pause
      }
    }
  }

  /// Logs an error. The next upkeep tries again.
  private func attempt(_ step: () async throws -> Void) async {
    do {
      try await step()
    } catch {
      let words = "upkeep: \(error)"
      if !Task.isCancelled, errors.isNew(words, at: .now) { logger.error("\(words)") }
    }
  }
}
