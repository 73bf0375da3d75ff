// Reasons as sentences for people.
import ModelSupport

extension WhyReading {
  var text: String {
    let operation = operation
    let number = if case .failed = operation.fate { "" } else { "\(known(operation.number)). " }
    return paragraph(
      "\(number)\(shown(operation.name ?? "operation")) \(known(operation.id))",
      reasons.map { "  \($0.text)" } + ["  \(operation.queue.text), performed at \(known(operation.performedAt))"],
      operation.problems)
  }
}

extension WaitReason {
  var text: String {
    switch self {
    case .damaged: "It is not sent: it moves to the failed operations when the app opens the store next."
    case .obstacle(let obstacle, let blocker): obstacle.text(blocker.map(\.text) ?? "another operation", blocker)
    case .queue(let load): load.refusal
    case .firstAnswer: "No server has answered this store yet, and nothing is sent before."
    case .request: "Nothing keeps it: it goes with the next request to the server."
    case .answer(let since): "It may have left the device\(Self.since(since)); the server has not answered."
    case .again: "The server may have lost it, so it is sent again after the loss; the rows have it already."
    case .void(let since):
      "It was taken back after it may have left the device\(Self.since(since)); the server has not said whether in time."
    case .files(let files):
      "The server decides it once it has its files: \(files.map { "\($0)" }.joined(separator: ", "))."
    case .cursor(let decision): decision.text
    case .load(let load): load.delay
    case .catchUp(let position):
      "Changes up to revision \(position) have come already; they are shown once the rest is there."
    case .server(let failure): failure.text(of: "to the server")
    case .failures(let failure): failure.text(of: "of its queue")
    case .retired(let state): state.text
    case .failed(let reason, let message): "It did not happen (\(shown(reason ?? "?"))): \(shown(message ?? "?"))"
    }
  }

  private static func since(_ time: Timestamp?) -> String { time.map { " since \($0) of the server's clock" } ?? "" }
}

extension WaitReason.Blocker {
  /// `operation 4, photo.like,`, or `operation 4` where the name is unknown.
  var text: String { "operation \(number)" + (name.map { ", \(shown($0))," } ?? "") }
}

extension SendingObstacle {
  fileprivate func text(_ other: String, _ blocker: WaitReason.Blocker?) -> String {
    switch self {
    case .decided: "Its outcome is known: nothing is left to send."
    case .unsaved: "It is not on disk yet."
    case .files: "The server lacks files of it."
    case .earlier(_, let object):
      if let outcome = blocker?.outcome {
        "It waits behind \(other) on the same object \(object); that one did not happen (\(shown(outcome))) and leaves first."
      } else {
        "It waits behind \(other) on the same object \(object)."
      }
    case .root: "It waits for \(other) which creates the root of its queue, and goes first."
    case .dependency: "It was declared to come after \(other) and waits until that is applied."
    case .aside: "It did not get through alone, and is tried again after the others."
    case .room: "It waits for answers: as many operations of its queue are under way as a delta can ask for."
    }
  }
}

extension WaitReason.Decision {
  fileprivate var text: String {
    let verdict =
      switch outcome {
      case "applied": "The server has applied it"
      case "noEffect": "The server has found its work done"
      case "rejected": "The server has refused it (\(shown(code ?? "?")))"
      case "voided": "The server has taken it back in time"
      default: "It is no longer known whether the server applied it"
      }
    let distance = behind.map { $0 == 0 ? "" : " (\(counted($0, "revision")) behind)" } ?? ""
    return """
      \(verdict); that shows at revision \(known(at)) of its queue, which has been read up to \(known(cursor))\(distance). \
      It leaves the outbox once that is reached.
      """
  }
}

extension QueuePlace.Load {
  /// The reason why no operation of a queue in this state is sent.
  fileprivate var refusal: String {
    switch self {
    case .revoked: "Its queue is no longer followed: the next answer of the server moves it to the failed operations."
    case .ended:
      "Its queue has ended, deleted by an owner for everybody: the next answer of the server moves it to the failed operations."
    // Operations of a queue of which something was read are sent.
    case .unread, .loading, .loaded, .reloading:
      "Its queue is loaded first: this device has never read it, and has not made it."
    }
  }

  /// The reason why no operation leaves the outbox while its queue is in this state.
  fileprivate var delay: String {
    switch self {
    case .unread, .loading: "It leaves once its queue has been loaded for the first time."
    case .loaded: "The server may have lost changes since its queue was read: it leaves once that has been read again."
    case .reloading: "It leaves once its queue has been loaded again."
    case .revoked: "Its queue is no longer followed."
    case .ended: "Its queue has ended: the next answer of the server lets it leave."
    }
  }
}

extension RetiredState {
  fileprivate var text: String {
    "It was applied at \(known(decidedAt)) of the server's clock, and has left the outbox. It is kept for 7 days, for a "
      + "server that loses it."
  }
}
