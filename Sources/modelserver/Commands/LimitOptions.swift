// The options of `serve` for limits: one for every limit of a running server.

import ArgumentParser
import SyncServer

struct LimitOptions: ParsableArguments {
  @Option(help: "Connections that are open at once; further ones wait to be accepted.")
  var maxConnections = 10_500

  @Option(help: "Connections of one user; requests on further ones are refused.")
  var maxConnectionsPerUser = 500

  @Option(help: "Connections of one address that stay open without a good token; further ones are closed.")
  var maxStrangers = 256

  @Option(help: "Long polls that wait at once.")
  var maxPolls = 10_000

  @Option(help: "Long polls of one user that wait at once.")
  var maxPollsPerUser = 50

  @Option(help: "People whom one user may add to queues in a day, if they share no queue with the user yet.")
  var maxInvitations = 200

  @Option(help: "Memberships that one user may give others in a day, also to people who share queues with the user.")
  var maxMemberships = 5_000

  @Option(help: "Requests of one user in a second; twice as many may come at once.")
  var requestsPerSecond = 200

  @Option(help: "Megabytes that bodies of requests and answers take at once; those of one user a quarter.")
  var bodyMegabytes = 256

  @Option(help: "Megabytes of one file.")
  var fileMegabytes = 1_024

  @Option(help: "Bytes of files that a queue may hold; unlimited unless told.")
  var queueBytes: Int64?

  @Option(help: "Bytes of files that a user may have brought, in all queues; unlimited unless told.")
  var userBytes: Int64?

  @Option(help: "Objects of a queue, deleted ones too; operations that add more are refused.")
  var maxQueueRows = 2_000_000

  @Option(help: "Objects that one user has made, and outcomes of the user's operations, in all queues.")
  var maxUserRows = 2_000_000

  @Option(
    help: "Queues that one user has made and is in, home queues too; others may add the user to as many again.")
  var maxUserQueues = 10_000

  @Option(help: "Megabytes of the contents of a queue's objects.")
  var queueContentMegabytes = 4_096

  @Option(help: "Megabytes of the contents of the objects that one user has made, in all queues.")
  var userContentMegabytes = 4_096

  @Option(help: "Megabytes of free disk below which /ready answers 503 and the log warns.")
  var leastFreeMegabytes = 256

  @Option(help: "How long the head of a request may take.")
  var headerTime = Span(argument: "10s")!

  @Option(help: "In this time a body must bring 1 kB a second or its end, and some of an answer must go out.")
  var bodyTime = Span(argument: "30s")!

  @Option(help: "How long a connection may take to show a good token, before it counts for --max-strangers.")
  var tokenTime = Span(argument: "5s")!

  @Option(help: "How long a connection may stay open without a request.")
  var idleTime = Span(argument: "75s")!

  @Option(help: "How long requests under way may take to end when the server stops.")
  var shutdownTime = Span(argument: "30s")!

  @Option(help: "How long deleted objects are remembered; a client that was away longer loads a queue again.")
  var keepTombstones = Span(days: 30)

  @Option(help: "How long the outcome of an operation is remembered; one that was first sent before is never applied.")
  var keepOutcomes = Span(days: 365)

  @Option(help: "How long files are kept that no object names, and uploads that have stopped.")
  var keepFiles = Span(days: 7)

  @Option(help: "How often the server looks for what it may forget.")
  var upkeepEvery = Span(argument: "1h")!

  /// The slowest body that is served brings so many bytes a second. A slower one would hold its memory too long.
  static let slowestBytesPerSecond: Int64 = 1_000

  func validate() throws {
    let counts = [
      ("--max-connections", maxConnections), ("--max-connections-per-user", maxConnectionsPerUser),
      ("--max-strangers", maxStrangers), ("--max-polls", maxPolls),
      ("--max-polls-per-user", maxPollsPerUser), ("--max-invitations", maxInvitations),
      ("--max-memberships", maxMemberships),
      ("--max-queue-rows", maxQueueRows), ("--max-user-rows", maxUserRows),
      ("--max-user-queues", maxUserQueues),
      ("--queue-content-megabytes", queueContentMegabytes), ("--user-content-megabytes", userContentMegabytes),
      ("--requests-per-second", requestsPerSecond), ("--body-megabytes", bodyMegabytes),
      ("--file-megabytes", fileMegabytes), ("--least-free-megabytes", leastFreeMegabytes),
    ]
    for (name, count) in counts where count < 1 || count > 100_000_000 {
      throw ValidationError("\(name) must be between 1 and 100000000; it is \(count).")
    }
    for (name, bytes) in [("--queue-bytes", queueBytes), ("--user-bytes", userBytes)] {
      if let bytes, bytes < 1 { throw ValidationError("\(name) must be at least 1; it is \(bytes).") }
    }
    // With less, requests and answers as large as the protocol allows could never be served.
    if bodyMegabytes < 16 { throw ValidationError("--body-megabytes must be at least 16.") }
  }

  var upkeep: UpkeepRules {
    var rules = UpkeepRules()
    rules.tombstones = keepTombstones.milliseconds
    rules.outcomes = keepOutcomes.milliseconds
    rules.files = keepFiles.milliseconds
    return rules
  }

  /// All addresses together may take a quarter of the connections, so that users have places.
  var strangers: Strangers {
    Strangers(patience: tokenTime.milliseconds, perAddress: maxStrangers, total: max(maxConnections / 4, 1))
  }

  var invitations: InvitationLimit { InvitationLimit(perDay: maxInvitations, membershipsPerDay: maxMemberships) }

  var room: RoomLimit {
    RoomLimit(
      queueRows: Int64(maxQueueRows), queueBytes: Int64(queueContentMegabytes) << 20, userRows: Int64(maxUserRows),
      userBytes: Int64(userContentMegabytes) << 20, userQueues: maxUserQueues)
  }

  var quota: FileQuota { FileQuota(queueBytes: queueBytes, userBytes: userBytes) }

  var polls: PollLimits {
    var limits = PollLimits()
    limits.total = maxPolls
    limits.perUser = maxPollsPerUser
    return limits
  }
}
