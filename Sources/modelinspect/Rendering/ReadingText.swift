// Rows as paragraphs for people.
import ModelSupport

extension ObjectReading {
  var text: String {
    var head = ["\(shown(model ?? "object")) \(known(id))", queue.text]
    if queue != .device { head.append("revision \(known(revision))") }
    if let createdBy { head.append("created by \(createdBy)") }
    return paragraph(head.joined(separator: ", "), fields.lines(indent: "  "), problems)
  }
}

extension MemberChange {
  fileprivate var text: String {
    switch action {
    case .follow(let role): "follow by \(user) as \(role)"
    case .role(let role): "role of \(user): \(role)"
    case .unfollow: "unfollow by \(user)"
    }
  }
}

extension OperationReading {
  var text: String {
    let head = "\(known(number)). \(shown(name ?? "operation")) \(known(id))"
    var lines = ["  \(queue.text), performed at \(known(performedAt))", "  \(fate.text)"]
    if attempt > 0 { lines.append("  tried again \(counted(attempt, "time"))") }
    if !parameters.isEmpty { lines += ["  parameters"] + parameters.lines(indent: "    ") }
    lines += changes.flatMap { $0.lines(indent: "  ") }
    lines += members.map { "  \($0.text)" }
    lines += files.map { "  needs the file \($0)" }
    lines += dependencies.map { "  comes after the operation \($0)" }
    return paragraph(head, lines, problems)
  }
}

extension OperationReading.Fate {
  fileprivate var text: String {
    switch self {
    case .pending(let state): "\(shown(state.word)): \(shown(state.reason))"
    case .failed(let reason, let message): "\(shown(reason ?? "?")): \(shown(message ?? "?"))"
    case .retired: "applied: it has left the outbox"
    }
  }
}

extension SummaryReading {
  var text: String {
    var lines = properties.map { (shown($0.name), shown($0.value)) }
    lines.append(("version", known(version)))
    lines += files.map { (shown($0.name), counted($0.bytes, "byte")) }
    lines.append(("outbox", outbox.map { counted($0, "operation") } ?? "?"))
    lines.append(("failed", failed.map { counted($0, "operation") } ?? "?"))
    if let retired { lines.append(("retired", counted(retired, "operation"))) }
    if let staged, staged > 0 { lines.append(("not shown yet", counted(staged, "row"))) }
    let width = lines.map(\.0.count).max() ?? 0
    let head = lines.map { "\(padded($0.0, to: width))  \($0.1)" }.joined(separator: "\n")
    return ([head] + queues.map(\.text)).joined(separator: "\n\n")
  }
}

extension SummaryReading.QueueSummary {
  fileprivate var text: String {
    var head = id.map { "queue \($0), read up to \(known(state?.place.cursor))" } ?? "never leaves the device"
    if isHome { head = "home " + head }
    if let load { head += ", \(load.text)" }
    if state?.isInvited == true { head += ", not shown: the user has not accepted it" }
    if let history = state?.place.history { head += ", history \(history)" }
    let names = models.map { shown($0.name ?? "?") }
    let width = names.map(\.count).max() ?? 0
    let lines = zip(names, models).map {
      "  \(padded($0, to: width))  \(counted($1.count, "object")), \(counted($1.bytes, "byte"))"
    }
    let failure = (state?.failure).map { ["  " + $0.text(of: isHome ? "to the server" : "of it")] } ?? []
    return ([head] + failure + (lines.isEmpty ? ["  no objects"] : lines)).joined(separator: "\n")
  }
}

extension SummaryReading.QueueSummary {
  /// How far the queue has been loaded; nil for objects that never leave the device.
  var load: QueuePlace.Load? { state?.place.load }
}

extension QueuePlace.Load {
  fileprivate var text: String {
    switch self {
    case .unread: "never fetched"
    case .loading: "first load under way"
    case .loaded: "loaded"
    case .reloading: "being loaded again"
    case .revoked: "no longer followed"
    case .ended: "ended: an owner has deleted it for everybody"
    }
  }
}

extension QueueFailure {
  /// `which` names the requests that failed, for example `to the server`.
  func text(of which: String) -> String {
    let head = attempts == 1 ? "The last request \(which) failed" : "The last \(attempts) requests \(which) failed"
    let text = "\(head): \(shown(message))" + (message.hasSuffix(".") ? "" : ".")
    return retryAt == .zero ? text : "\(text) The next attempt is due at \(retryAt) of the device's clock."
  }
}

/// A paragraph for people. Damage comes right below the head, before the other lines.
func paragraph(_ head: String, _ lines: [String], _ problems: [String]) -> String {
  ([head] + problems.map { "  damaged: \(shown($0))" } + lines).joined(separator: "\n")
}

func known(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "?" }
