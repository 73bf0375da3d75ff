// The version and the limits of the protocol (docs/formats/sync-protocol.md), which both sides observe.

/// The version of the protocol that this library speaks.
package enum ProtocolVersion {
  /// Grows with each change that an older client or server would misunderstand.
  package static let current = 1
  /// The HTTP field with the version, in requests and answers.
  package static let field = "Sync-Protocol-Version"
}

/// The id of the server's database. It stays the same as long as the database lives, and in copies of it.
package enum ServerIdentity {
  /// The HTTP field with the id, in answers.
  package static let field = "Sync-Server"
  /// The HTTP field with the server's history, in answers. A restore gives the server another history.
  package static let historyField = "Sync-History"
}

/// Which versions of an app may write.
package enum OldestWriter {
  /// The HTTP field with the oldest version of the request's schema whose apps may commit; absent if all may.
  package static let field = "Sync-Oldest-Writer"
}

/// The most that one message may hold. A larger one is refused before memory is allocated for it.
package enum ProtocolLimits {
  /// 1 MiB: the changes of one mutation.
  package static let mutationBytes = 1 << 20
  /// Mutations in all commits of one request together.
  package static let mutations = 500
  /// How often the user may try an operation again.
  package static let attempts = 1_000_000
  /// 4 MiB: the body of a request.
  package static let requestBytes = 4 << 20
  /// 1 MiB: the contents of the objects of one answer. Its first object is sent whatever its size.
  package static let pageBytes = 1 << 20
  /// Objects of one answer.
  package static let pageObjects = 10_000
  /// 8 MiB: the body of an answer.
  package static let answerBytes = 8 << 20
  /// 1 MiB: the content of one object.
  package static let objectBytes = 1 << 20
  /// Bytes in the name of a type; see `isTypeName`.
  package static let typeNameBytes = 100
  /// 2^53, some 285,000 years before and after 1970, so that computing with a time does not overflow.
  package static let timeMilliseconds: Int64 = 1 << 53
  /// Operations that one delta request may await, in all of its queues together.
  package static let awaiting = 10_000
  /// Queues of one delta request.
  package static let deltaQueues = 100
  /// Commits of one request.
  package static let commitQueues = 100
  /// Queues that the ranges of the answer to a long poll have together, unless it has one range only.
  package static let changedQueues = 1_000
  /// Ranges of ids in a long poll.
  package static let placeSums = 256
  /// Queues that one range of the answer to a long poll may have.
  package static let changedPlaces = 10_000
  /// Types that a one-shot read may name.
  package static let types = 100
  /// Files that one mutation waits for and files that its fields name, together.
  package static let files = 10_000
  /// References to files that all mutations of one commit make, and those of the objects for which they do so or which
  /// they delete. A mutation makes one for each file that it waits for and each of its objects, and one for each file that
  /// its fields name.
  package static let fileReferences = 30_000
  /// Seconds that a long poll may wait.
  package static let waitSeconds = 55
  /// Signals that one request shows or takes back.
  package static let signals = 20
  /// 1 KiB: the content of one signal.
  package static let signalBytes = 1 << 10
  /// Seconds for which a signal is shown, unless it is shown again.
  package static let signalSeconds = 60
  /// Queues whose signals one poll follows.
  package static let watchedQueues = 20
  /// Signals that are shown to one queue.
  package static let queueSignals = 200
  /// Members of one queue.
  package static let members = 10_000
  /// Changes of members by all mutations of one commit.
  package static let memberChanges = 1_000
  /// Objects that all mutations of one commit change.
  package static let objectChanges = 10_000
  /// 32 MiB: the contents of objects that one commit reads in order to change them, and those that it writes.
  package static let touchedBytes = 32 << 20

  /// The bytes that an object is counted for in an answer: its content as base64, and 256 for its other fields.
  package static func answerBytes(ofContent count: Int) -> Int { (count + 2) / 3 * 4 + 256 }

  /// The bytes that a mutation is counted for in a request: its changes as base64, and 128 for its other fields.
  package static func bodyBytes(ofChanges count: Int) -> Int { (count + 2) / 3 * 4 + 128 }

  /// Whether a text may be the name of a type: ASCII letters, digits, `.`, `_` and `-`. Other bytes would make a page
  /// larger when it is written as JSON, and a database might end the text at one of them.
  package static func isTypeName(_ text: String) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
      default: false
      }
    }
    return isPlain && !text.isEmpty && text.utf8.count <= typeNameBytes
  }
}
