// Forgets what may be forgotten, as long as the server runs.

import Determinism
import Logging
import ServiceLifecycle
import SyncServer

struct UpkeepLoop: Service {
  let service: SyncService
  let files: FileService
  let rules: UpkeepRules
  let every: Int64
  let environment: RuntimeEnvironment
  let surroundings: Surroundings
  let logger: Logger

  /// How often the time is noted: a clock that is set back while the server is down is noticed up to that.
  private static let noting: Int64 = 60_000

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var rest: Int64 = 0
      var surroundings = surroundings
      while !Task.isCancelled {
        surroundings.look(clockLag: service.clockLag)
        do {
          if rest <= 0 {
            rest = every
            try await service.performUpkeep(rules)
            try await files.performUpkeep(rules)
          } else {
            try await service.noteTime()
          }
        } catch {
          // The next round tries again.
          logger.error("upkeep: \(error)")
        }
        let pause = min(Self.noting, rest)
        guard (try? await environment.sleep(milliseconds: pause)) != nil else { return }
        rest -= pause
      }
    }
  }
}
