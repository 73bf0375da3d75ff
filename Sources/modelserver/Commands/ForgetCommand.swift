// The command `forget`, which takes a user out of everything.

import ArgumentParser
import Commands
import Foundation
import SyncPostgres
import SyncProtocol
import SyncServer
import WireFormat

struct ForgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Takes a user out of all queues, and removes what is the user's alone.",
    discussion: """
      Queues of which the user is the last member end, with their objects and files; the others the user leaves. Where \
      nobody else owns one, the member of the highest role who has been there for longest becomes its owner. The user's \
      home queues are emptied. Devices of others hear of it with their next sync.

      What the user has written in queues of others stays, as messages do whose author has left; --objects deletes it: \
      in the first run, because afterwards the user is in no queue. \
      What remains in any case is the user's id: as the creator of such objects, and for a year in outcomes.

      Files go with the next upkeep of the server. Your sign-in service must not give this user tokens any more: a new \
      one makes the same user again, with nothing.

      With --database the server has to be stopped; with PostgreSQL servers may run. See first what would be done: \
      --dry-run. And keep a copy: `modelserver export`.

      EXAMPLE:
        modelserver forget --database team.sqlite --user anna --dry-run
      """)

  @OptionGroup
  var database: DatabaseOptions

  @OptionGroup
  var user: UserOption

  @ArgumentParser.Flag(help: "Delete the objects too that the user has created in queues that go on.")
  var objects = false

  @ArgumentParser.Flag(help: "Show what would be done, and do nothing.")
  var dryRun = false

  func run() async throws {
    let opened = try open()
    defer { opened.close() }
    let service = SyncService(storage: opened.storage, history: opened.history)
    let forgetting = Forgetting(user.id, of: service)
    try await Mistake.ofStorage("forget") {
      if !dryRun { try await service.begin() }
      let farewells = try await forgetting.farewells()
      Terminal.print("user \(user.id)")
      guard !farewells.isEmpty else { throw user.unknown }
      guard !dryRun else {
        for farewell in farewells { Terminal.print(words(for: farewell)) }
        Terminal.print("Nothing was done yet: this was --dry-run.")
        return
      }
      var failures = 0
      for farewell in farewells {
        do {
          try await forgetting.perform(farewell, withObjects: objects)
          Terminal.print(words(for: farewell))
        } catch let error as RequestError {
          Terminal.error("error: \(error.message)")
          failures += 1
        }
      }
      // The home queues of others show who has left.
      try await service.performDuties()
      if failures > 0 {
        throw Mistake.inputOutput("\(failures) of \(farewells.count) queues are left: run it again.")
      }
    }
  }

  private func words(for farewell: Farewell) -> String {
    switch farewell {
    case .end(let queue): "ends queue \(queue), whose last member the user is"
    case .leave(let queue, nil): "leaves queue \(queue)"
    case .leave(let queue, let heir?): "leaves queue \(queue), whose owner is now \(heir)"
    case .empty(let queue): "empties the home queue \(queue)"
    }
  }

  private struct Opened {
    var storage: any QueueStorage
    var history: HistoryTable
    var close: () -> Void
  }

  private func open() throws -> Opened {
    let threads = WorkerThreads(2, atOnce: 2, name: "forget", waiting: 100)
    guard let database = database.database else {
      let address = try database.place.address(ProcessInfo.processInfo.environment)
      let storage = try Mistake.ofStorage("--postgres") {
        try PostgresStorage(address, creates: false, readers: threads, writers: threads)
      }
      return Opened(storage: storage, history: storage.history) { storage.close() }
    }
    let path = DatabasePath(database)
    try path.mustExist("--database")
    let lock = try DatabaseLock(path)
    do {
      let storage = try Mistake.ofStorage("--database") { try SQLiteStorage(path: path.path) }
      return Opened(storage: storage, history: storage.history) {
        try? storage.close()
        lock.release()
      }
    } catch {
      lock.release()
      throw error
    }
  }
}
