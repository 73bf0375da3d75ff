// The command `usage`, which lists the largest queues and users of a database.

import ArgumentParser
import Commands
import SyncPostgres
import SyncServer

struct UsageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "usage",
    abstract: "Lists the largest queues and users, also beside a running server.",
    discussion: """
      Of a queue: its objects, deleted ones too, the bytes of their contents, and those of its files. \
      Of a user: the objects that the user has made and the outcomes of the user's operations, and the bytes of what \
      the user has made and brought. The bytes of files include unfinished uploads, which are also shown alone. \
      It shows ids only, no contents.
      """)

  @OptionGroup
  var database: DatabaseOptions

  @Option(help: "How many of each to list.")
  var top = 10

  func validate() throws {
    if top < 1 { throw ValidationError("--top must be at least 1; it is \(top).") }
  }

  func run() throws {
    let report = try database.look(
      { try SQLiteStorage.usage($0, limit: top) }, { try PostgresStorage.usage($0, limit: top) })
    for (title, lines) in [("queue", report.queues), ("user", report.users)] {
      for line in lines {
        Terminal.print(
          "\(title) \(line.id)  rows \(line.usage.rows)  content \(line.usage.bytes)  files \(line.fileBytes)"
            + (line.unfinishedBytes > 0 ? "  unfinished \(line.unfinishedBytes)" : ""))
      }
    }
    let (objects, totals) = (report.totals.objects, report.totals)
    Terminal.print(
      "all  objects \(objects.rows)  content \(objects.bytes)  files \(totals.fileBytes)  "
        + "unfinished \(totals.unfinishedBytes)")
  }
}
