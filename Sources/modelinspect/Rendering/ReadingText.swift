// Rows as paragraphs for people.
import ModelRuntime

extension ObjectReading {
  var text: String {
    var head = ["\(shown(model ?? "object")) \(known(id))", queue.text]
    if queue != .device { head.append("revision \(known(revision))") }
    if let createdBy { head.append("created by \(createdBy)") }
    return paragraph(head.joined(separator: ", "), fields.lines(indent: "  "), problems)
  }
}

extension OperationReading {
  var text: String {
    let head = "\(known(number)). \(shown(name ?? "operation")) \(known(id))"
    var lines = ["  \(queue.text), performed at \(known(performedAt))", "  \(fate.text)"]
    if !parameters.isEmpty { lines += ["  parameters"] + parameters.lines(indent: "    ") }
    lines += changes.flatMap { $0.lines(indent: "  ") }
    lines += follow.map { "  follow by \($0)" } + unfollow.map { "  unfollow by \($0)" }
    lines += roles.map { "  role of \($0.user): \($0.role)" }
    lines += files.map { "  needs the file \($0)" }
    return paragraph(head, lines, problems)
  }
}

extension OperationReading.Fate {
  fileprivate var text: String {
    switch self {
    case .pending(let state): "\(shown(state.word)): \(shown(state.reason))"
    case .attention(let reason, let message): "\(shown(reason ?? "?")): \(shown(message ?? "?"))"
    }
  }
}

extension SummaryReading {
  var text: String {
    var lines = properties.map { (shown($0.name), shown($0.value)) }
    lines.append(("version", known(version)))
    lines += files.map { (shown($0.name), counted($0.bytes, "byte")) }
    lines.append(("outbox", outbox.map { counted($0, "operation") } ?? "?"))
    lines.append(("attention", attention.map { counted($0, "operation") } ?? "?"))
    let width = lines.map(\.0.count).max() ?? 0
    let head = lines.map { "\(padded($0.0, to: width))  \($0.1)" }.joined(separator: "\n")
    return ([head] + queues.map(\.text)).joined(separator: "\n\n")
  }
}

extension SummaryReading.QueueSummary {
  fileprivate var text: String {
    var head = id.map { "queue \($0), read up to \(known(cursor))" } ?? "never leaves the device"
    if let epoch { head += ", epoch \(hexadecimal(epoch))" }
    let names = models.map { shown($0.name ?? "?") }
    let width = names.map(\.count).max() ?? 0
    let lines = zip(names, models).map {
      "  \(padded($0, to: width))  \(counted($1.count, "object")), \(counted($1.bytes, "byte"))"
    }
    return ([head] + (lines.isEmpty ? ["  no objects"] : lines)).joined(separator: "\n")
  }
}

/// What is wrong comes right below the head, before the rest that could be read.
private func paragraph(_ head: String, _ lines: [String], _ problems: [String]) -> String {
  ([head] + problems.map { "  damaged: \(shown($0))" } + lines).joined(separator: "\n")
}

private func known(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "?" }
