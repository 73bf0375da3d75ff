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

  /// The server notes its time so often, and compares at the next start: a clock that was set back by less is not noticed.
  private static let notingMilliseconds: Int64 = 60_000

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var untilUpkeep: Int64 = 0
      var surroundings = surroundings
      while !Task.isCancelled {
        surroundings.look(clockLag: service.clockLag)
        for line in errors.lines(at: .now) { logger.error("\(line)") }
        if untilUpkeep <= 0 {
          untilUpkeep = everyMilliseconds
          // It notes the time too.
          await attempt { try await service.performUpkeep(rules) }
          await attempt { try await files.performUpkeep(rules) }
        } else {
          await attempt { try await service.noteTime() }
        }
        let pause = min(Self.notingMilliseconds, untilUpkeep)
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
      if !Task.isCancelled { logger.error("upkeep: \(error)") }
    }
  }
}
