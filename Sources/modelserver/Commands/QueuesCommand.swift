// The commands `queues` and `members`: which queues a user is in, and who is in a queue.

import ArgumentParser
import Commands
import SyncProtocol
import SyncServer
import WireFormat

struct QueuesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queues",
    abstract: "Lists the queues of a user, also beside a running server.",
    discussion: """
      A line for each queue: its id, the app's schema, the user's role, how many members and live objects it has, and \
      the bytes of their contents. The home queue of an app has the user's memberships.

      EXAMPLE:
        modelserver queues --database team.sqlite --user anna
      """)

  @OptionGroup
  var database: DatabaseOptions

  @OptionGroup
  var user: UserOption

  func run() throws {
    let id = user.id
    let lines = try database.read { try Self.lines(of: id, $0) }
    if lines.isEmpty { throw user.unknown }
    Terminal.print("user \(id)")
    for line in lines { Terminal.print(line) }
  }

  private static func lines(of user: UserID, _ snapshot: any QueueSnapshot) throws -> [String] {
    try snapshot.allQueues(of: user).compactMap { id in
      guard let queue = try snapshot.queue(id), let membership = try snapshot.membership(of: user, in: id) else {
        return nil
      }
      let members = try snapshot.members(of: id).count
      let usage = try snapshot.usage(in: id)
      let kind = id.isMarkedAsHome ? "home queue" : "\(membership.role)"
      return
        "queue \(id)  \(queue.schema.isEmpty ? "-" : queue.schema)  \(kind)  members \(members)  objects \(queue.digest.live)  content \(usage.bytes) bytes"
    }
  }
}

struct MembersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "members",
    abstract: "Lists the members of a queue, also beside a running server.",
    discussion: """
      A line for each member: the id of the user, the role, since when, and who has added the member.

      EXAMPLE:
        modelserver members --database team.sqlite --queue 01234567-89ab-4def-8123-456789abcdef
      """)

  @OptionGroup
  var database: DatabaseOptions

  @Option(help: ArgumentHelp("The id of the queue.", valueName: "uuid"))
  var queue: String

  func validate() throws {
    if QueueID(queue) == nil {
      throw ValidationError("--queue is the id of a queue, as `modelserver queues` lists them.")
    }
  }

  func run() throws {
    guard let id = QueueID(queue) else { return }
    let lines = try database.read { try Self.lines(of: id, $0) }
    for line in lines { Terminal.print(line) }
  }

  private static func lines(of id: QueueID, _ snapshot: any QueueSnapshot) throws -> [String] {
    guard let queue = try snapshot.queue(id) else { throw Mistake.usage("--queue: there is no queue \(id).") }
    if queue.isEnded { return ["The queue has ended."] }
    return try snapshot.members(of: id).sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }
      .map { "user \($0)  \($1.role)  since \($1.since)  added by \($1.by)" }
  }
}
