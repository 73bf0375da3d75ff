// The reasons why an operation waits: each with its word for programs and its sentence for people.
import ModelSupport

struct WaitReason: Sendable {
  /// The words, like the keys of `members`, must not change, because tools read them.
  var word: String
  var text: String
  var members: ReportValue = [:]
  /// The number of the operation that this one waits for.
  var blocker: Int64?

  init(_ word: String, _ text: String, _ members: ReportValue = [:], blocker: Int64? = nil) {
    (self.word, self.text, self.members, self.blocker) = (word, text, members, blocker)
  }

  var report: ReportValue { .worded(text, ["reason": .string(word), "text": .string(text)] + members) }
}

/// The operation is in the outbox and has no outcome.
extension WaitReason {
  static let damaged = Self(
    "damaged", "It is not sent: it moves to the failed operations when the app opens the store next.")
  static let firstAnswer = Self("firstAnswer", "No server has answered this store yet, and nothing is sent before.")
  static let request = Self("request", "Nothing keeps it: it goes with the next request to the server.")
  static let again = Self(
    "again", "The server may have lost it, so it is sent again after the loss; the rows have it already.")

  /// It may have been sent; `since` is nil where the store does not know when.
  static func answer(since: Timestamp?) -> Self {
    Self(
      "answer", "It may have left the device\(clause(since)); the server has not answered.",
      ["since": ReportValue(since)])
  }

  /// It was taken back after it may have been sent.
  static func void(since: Timestamp?) -> Self {
    Self(
      "void",
      "It was taken back after it may have left the device\(clause(since)); the server has not said whether in time.",
      ["since": ReportValue(since)])
  }

  private static func clause(_ since: Timestamp?) -> String {
    since.map { " since \($0) of the server's clock" } ?? ""
  }

  static func files(_ files: [ContentHash]) -> Self {
    Self(
      "files",
      "The server decides it once it has its files: \(files.map { "\($0)" }.joined(separator: ", ")).",
      ["files": .list(files.map { ReportValue($0) })])
  }

  /// No operation of the queue is sent, because the queue is in this state.
  static func queue(_ load: QueuePlace.Load) -> Self {
    let members: ReportValue = ["load": .string("\(load)")]
    let next = "the next answer of the server moves it to the failed operations."
    switch load {
    case .revoked: return Self("membership", "Its queue is no longer followed: \(next)", members)
    case .ended: return Self("ended", "Its queue has ended, deleted by an owner for everybody: \(next)", members)
    // Operations of a queue of which something was read are sent.
    case .unread, .loading, .loaded, .reloading:
      return Self("reload", "Its queue is loaded first: this device has never read it, and has not made it.", members)
    }
  }

  /// `other` looks up the operation with a number.
  static func obstacle(_ obstacle: SendingObstacle, _ other: (Int64) -> OperationReading?) -> Self {
    switch obstacle {
    // Only the memory of an app knows these.
    case .decided, .unsaved, .files, .aside: return Self("\(obstacle)", "It waits for something only the app knows.")
    case .room:
      return Self(
        "room", "It waits for answers: as many operations of its queue are under way as a delta can ask for.")
    case .root(let number):
      let end = "which creates the root of its queue, and goes first."
      return behind(number, other(number), "root", "It waits for", end)
    case .dependency(let number):
      let end = "and waits until that is applied."
      return behind(number, other(number), "dependency", "It was declared to come after", end)
    case .earlier(let number, let object):
      let outcome = other(number)?.outcome
      let end = outcome.map { "; that one did not happen (\($0)) and leaves first" } ?? ""
      let place = "on the same object \(object)\(end)."
      var reason = behind(number, other(number), "earlier", "It waits behind", place)
      reason.members = reason.members + ["object": ReportValue(object), "outcome": ReportValue(outcome)]
      return reason
    }
  }

  /// The sentence names the operation between `start` and `end`: `operation 4, photo.like,` or, without a name,
  /// `operation 4`.
  private static func behind(
    _ number: Int64, _ operation: OperationReading?, _ word: String, _ start: String, _ end: String
  ) -> Self {
    let name = (operation?.name).map { ", \($0)," } ?? ""
    return Self(
      word, "\(start) operation \(number)\(name) \(end)",
      ["number": ReportValue(number: number), "operation": ReportValue(operation?.id)], blocker: number)
  }
}

/// The operation is in the outbox and has an outcome.
extension WaitReason {
  static let verdicts = [
    "applied": "The server has applied it", "noEffect": "The server has found its work done",
    "rejected": "The server has refused it", "voided": "The server has taken it back in time",
    "unknown": "It is no longer known whether the server applied it",
  ]

  /// Its queue has to be read up to the revision of the outcome. `cursor` says how far it has been read.
  static func cursor(_ outcome: String, code: String?, at revision: Int64?, cursor: Int64?) -> Self {
    let verdict = verdicts[outcome] ?? "The server has said \(outcome)"
    var behind: Int64?
    if let revision, let cursor {
      let (distance, isOverflow) = revision.subtractingReportingOverflow(cursor)
      behind = isOverflow ? nil : max(distance, 0)
    }
    let distance = behind.map { $0 == 0 ? "" : " (\(counted($0, "revision")) behind)" } ?? ""
    return Self(
      "cursor",
      """
      \(verdict)\(code.map { " (\($0))" } ?? ""); that shows at revision \(known(revision)) of its queue, which has \
      been read up to \(known(cursor))\(distance). It leaves the outbox once that is reached.
      """,
      [
        "outcome": .string(outcome), "code": ReportValue(code), "at": ReportValue(number: revision),
        "cursor": ReportValue(number: cursor), "behind": ReportValue(number: behind),
      ])
  }

  /// No operation leaves the outbox before the load of its queue is complete.
  static func load(_ load: QueuePlace.Load) -> Self {
    let text =
      switch load {
      case .unread, .loading: "It leaves once its queue has been loaded for the first time."
      case .loaded:
        "The server may have lost changes since its queue was read: it leaves once that has been read again."
      case .reloading: "It leaves once its queue has been loaded again."
      case .revoked: "Its queue is no longer followed."
      case .ended: "Its queue has ended: the next answer of the server lets it leave."
      }
    return Self("queueLoad", text, ["load": .string("\(load)")])
  }

  /// Pages up to this revision have come, but are not shown yet.
  static func catchUp(position: Int64) -> Self {
    Self(
      "catchUp", "Changes up to revision \(position) have come already; they are shown once the rest is there.",
      ["position": ReportValue(number: position)])
  }
}

/// Requests fail, or the operation is not in the outbox.
extension WaitReason {
  /// `word` is `server` or `queue`; `which` names the requests.
  static func failures(_ failure: QueueFailure, _ word: String, of which: String) -> Self {
    Self(word, failure.text(of: which), failure.members)
  }

  static func retired(_ time: Timestamp?) -> Self {
    Self(
      "retired",
      "It was applied at \(known(time)) of the server's clock, and has left the outbox. It is kept for 7 days, for a "
        + "server that loses it.")
  }
}

extension QueueFailure {
  func report(of which: String) -> ReportValue { .worded(text(of: which), members) }

  /// `which` names the requests that failed, for example `to the server`.
  fileprivate func text(of which: String) -> String {
    let head = attempts == 1 ? "The last request \(which) failed" : "The last \(attempts) requests \(which) failed"
    let text = "\(head): \(message)" + (message.hasSuffix(".") ? "" : ".")
    return retryAt == .zero ? text : "\(text) The next attempt is due at \(retryAt) of the device's clock."
  }

  fileprivate var members: ReportValue {
    [
      "attempts": ReportValue(number: attempts), "retryAt": ReportValue(retryAt == .zero ? nil : retryAt),
      "lastError": .string(message),
    ]
  }
}
