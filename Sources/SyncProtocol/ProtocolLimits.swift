// The version and the bounds of the protocol (docs/formats/sync-protocol.md): both sides hold them.

/// The version of the protocol that this library speaks.
public enum ProtocolVersion {
  /// Grows with a change that an older client or server would misunderstand.
  public static let current = 1
  /// The HTTP field that names it, in requests and answers.
  public static let field = "Sync-Protocol-Version"
}

/// Which server it is: the id of its database, the same for as long as the database lives, also in copies of it.
package enum ServerIdentity {
  /// The HTTP field that names it, in answers.
  package static let field = "Sync-Server"
  /// The HTTP field that names its history, in answers: another one after a restore.
  package static let historyField = "Sync-History"
}

/// The most that one message may hold. A longer one is refused before memory is allotted for it.
public enum ProtocolLimits {
  /// 1 MiB: the changes of one mutation.
  public static let mutationBytes = 1 << 20
  /// Mutations of one request, in all of its commits together.
  public static let mutations = 500
  /// 4 MiB: the body of a request.
  public static let requestBytes = 4 << 20
  /// 1 MiB: the content of the objects of one delta answer; one object is sent whatever it has.
  public static let pageBytes = 1 << 20
  /// Objects of one answer.
  public static let pageObjects = 10_000
  /// 8 MiB: the body of an answer.
  public static let answerBytes = 8 << 20
  /// 1 MiB: the content of one object.
  public static let objectBytes = 1 << 20
  /// The name of a type; see `isTypeName`.
  public static let typeNameBytes = 100
  /// 2^53, some 285,000 years before and after 1970: whoever computes with a time stays far from the ends of a number.
  public static let timeMilliseconds: Int64 = 1 << 53
  /// Operations that one delta request may await, in all of its queues together.
  public static let awaiting = 10_000
  /// Queues of one delta request.
  public static let deltaQueues = 100
  /// Commits of one request.
  public static let commitQueues = 100
  /// Queues that a long poll may name, or leave out.
  public static let changedQueues = 1_000
  /// Ranges of ids in a poll over all queues.
  public static let placeSums = 256
  /// Queues that the answer to such a poll may name.
  public static let changedPlaces = 10_000
  /// Types that a one-shot read may name.
  public static let types = 100
  /// Files that one mutation waits for, and those that its fields name.
  public static let files = 10_000
  /// Notes of files that one mutation makes: each file that it waits for, for each of its objects, and those of its fields.
  public static let fileReferences = 100_000
  /// Seconds that a long poll may wait.
  public static let waitSeconds = 55
  /// Members of one queue.
  public static let members = 10_000
  /// Followers that come and go, and roles that change, by the mutations of one commit.
  public static let memberChanges = 1_000
  /// 64 MiB: the contents that one commit reads to change them.
  public static let touchedBytes = 64 << 20

  /// Whether a text may be the name of a type: letters, digits and what joins them. Of other bytes a page would grow when
  /// it is written as JSON, and a database might end the text at one of them.
  public static func isTypeName(_ text: String) -> Bool {
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
