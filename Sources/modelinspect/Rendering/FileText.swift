// Files as paragraphs for people, and as JSON.
import ModelSupport

extension FileReading {
  var text: String {
    var head = queue.text
    if let size { head += ", \(counted(size, "byte"))" }
    if size == nil, state != .fetched { head += ", not on this device when it was named" }
    var lines = ["  \(head)"]
    if let state { lines.append("  \(state.word): \(state.reason)") }
    if let number, number > 0 { lines.append("  named first by operation \(number)") }
    lines += objects.map { "  named by the object \($0)" }
    if let failure {
      lines.append("  \(counted(failure.attempts, "attempt")) failed, the next one is at \(failure.retryAt)")
      lines.append("  \(shown(failure.message))")
    }
    return paragraph("file \(known(hash))", lines, problems)
  }

  var json: OrderedJSON {
    [
      "hash": OrderedJSON(hash), "queue": queue.json, "state": OrderedJSON(state.map { "\($0)" }),
      "size": OrderedJSON(number: size), "operation": OrderedJSON(number: number),
      "objects": .array(objects.map { OrderedJSON($0) }), "failure": failure.map(\.json) ?? .null,
      "problems": .array(problems.map { .string($0) }),
    ]
  }
}
