// Checks that a created object is in the queue of the operation's object: an operation is one commit, and a commit has
// one queue.

struct QueueProof {
  /// The model that the operation is declared in.
  let operation: CatalogModel
  let findings: Findings

  /// Reports a created object that may be born in another queue than the operation's object.
  func check(_ name: Spelled, _ target: CatalogModel, _ assignments: [FieldAssignment], _ given: [YAMLPair]) {
    guard let queue = operation.queue, let targetQueue = target.queue else { return }
    switch (queue, targetQueue) {
    case (.device, .device): return
    case (_, .field(let field)), (_, .home(let field)):
      // A missing or wrong value of the queue field has been reported.
      guard let assigned = assignments.first(where: { $0.field == field }) else { return }
      let areAlike = operation.queueKind == target.queueKind
      guard areAlike, let needed = proof(queue, targetQueue) else {
        report(name.range, name, "their queues are of different kinds")
        return
      }
      if assigned.value == .object(path: needed) { return }
      let place = given.first { $0.key.text == field }?.value.range ?? name.range
      let shown = (["$self"] + needed).joined(separator: ".")
      report(place, name, "its `\(field)` must be `\(shown)`", replacement: shown)
    case (_, .own): report(name.range, name, "it is a queue of its own")
    case (_, .device): report(name.range, name, "it never leaves the device")
    }
  }

  /// The path behind `$self` that leads to the queue of the operation's object; nil where no path does.
  private func proof(_ queue: QueuePlacement, _ target: QueuePlacement) -> [String]? {
    switch (queue, target) {
    case (.own, .field): []
    case (.field(let name), .field), (.home(let name), .home): [name]
    default: nil
    }
  }

  private func report(_ range: SourceRange, _ name: Spelled, _ reason: String, replacement: String? = nil) {
    findings.report(
      .operationCrossesQueue,
      "The new `\(name.text)` may be in another queue than the operation's object: \(reason).", at: range,
      replacement: replacement, isCertain: false)
  }
}
