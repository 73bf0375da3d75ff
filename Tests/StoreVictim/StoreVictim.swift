// A program that only uses a store and prints each of its steps. A test kills it in the middle of them.
//
// StoreVictim FOLDER SEED FIRST: FIRST is the number of its first operation, above those of all its former lives.

import Foundation
import ModelSupport
import SampleIDs

@main
enum StoreVictim {
  static let user = UserID(high: 1, low: 1)
  static let box = QueueID.queue(2)

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seed = UInt64(arguments[2]), let first = Int64(arguments[3]) else {
      FileHandle.standardError.write(Data("usage: StoreVictim FOLDER SEED FIRST\n".utf8))
      exit(2)
    }
    let numbers = OperationNumbers(first: first)
    try await RuntimeEnvironment.$current.withValue(numbers.environment) {
      VictimLine.opening.write()
      let store = try ModelStore(at: arguments[1], schema: VictimSchema.self, user: user)
      VictimLine.opened.write()
      let server = try VictimServer(log: arguments[1] + "/server.log", queue: box)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await VictimUser(store: store, numbers: numbers, seed: seed).run() }
        group.addTask {
          var sync = VictimSync(store: store, server: server, seed: seed &+ 1)
          try await sync.run()
        }
        // Each task ends only by an error.
        try await group.next()
      }
    }
  }
}
