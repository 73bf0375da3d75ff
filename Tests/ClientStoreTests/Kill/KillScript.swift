// What a process said that it did before it was killed, over all of its lives.

import ModelRuntime

@testable import StoreVictim

struct KillScript {
  struct Operation {
    let number: Int64
    let action: VictimLine.Action
    let objects: [Int64]
    let life: Int
    /// Nil where the kill came while it was performed.
    var performedAtNanoseconds: UInt64?
    /// Its `saved()` returned, it was sent, or it was found on disk: it must never be lost from here on.
    var isPromised = false
    var isSent = false
    /// It may have been taken back, or put away.
    var isTakenBack = false
    var isPutAway = false
  }

  /// Where an operation is found after a kill.
  enum Fate: CaseIterable {
    case pending, settled, reported, takenBack, putAway
    /// Performed and not saved.
    case lost
    /// Of an object that never leaves the device.
    case onDevice
  }

  private(set) var operations: [Int64: Operation] = [:]
  /// Those of which more is to be heard: pending, reported, or performed in this life.
  private(set) var open: Set<Int64> = []
  /// How far the server's rows were revealed by a call that returned.
  private(set) var cursor: Int64 = 0
  private var scraps: [Int64: Marks] = [:]
  private var savedAfter: [UInt64] = []

  /// Nanoseconds from performing to `saved()`, since the last time.
  mutating func takeSavedAfter() -> [UInt64] {
    defer { savedAfter = [] }
    return savedAfter
  }

  mutating func read(_ lines: [String], life: Int) throws {
    for text in lines {
      guard let line = VictimLine(text) else { throw UnknownLine(text: text) }
      switch line {
      case .opening, .opened: break
      case .performing(let number, let action, let objects):
        operations[number] = Operation(number: number, action: action, objects: objects, life: life)
        open.insert(number)
      case .performed(let number, let time): operations[number]?.performedAtNanoseconds = time
      case .saved(let number, let time):
        operations[number]?.isPromised = true
        savedAfter.append(time)
      case .cancelling(let numbers): for number in numbers { operations[number]?.isTakenBack = true }
      case .sent(let numbers):
        for number in numbers {
          operations[number]?.isPromised = true
          operations[number]?.isSent = true
        }
      case .revealed(let cursor): self.cursor = cursor
      case .dismissing(let number): operations[number]?.isPutAway = true
      }
    }
  }
}

extension KillScript {
  struct Verdict {
    /// What is not as it must be; empty where all is well.
    var problems: [String] = []
    var fates: [(operation: Operation, fate: Fate)] = []
  }

  /// Compares what is found after a kill with what the lines of the process promised.
  mutating func judge(_ found: FoundStore, life: Int) -> Verdict {
    var verdict = Verdict(problems: found.damage)
    if found.cursor < cursor { verdict.problems.append("the cursor went back from \(cursor) to \(found.cursor)") }
    cursor = found.cursor
    verdict.problems += strangers(in: found)
    let isSettled = settled(found)
    let pending = Dictionary(uniqueKeysWithValues: found.pending.map { ($0.id.operationNumber, $0) })
    for number in open.sorted() {
      guard let operation = operations[number], !operation.isOnDevice else { continue }
      let fate = fate(of: operation, pending, found.attention, isSettled)
      verdict.problems += note(operation, fate, pending[number])
      verdict.fates.append((operation, fate))
    }
    let bounds = bounds(of: life, verdict)
    if bounds.saved > bounds.lost {
      verdict.problems.append("\(bounds.lost) was lost, but \(bounds.saved) was performed later and kept")
    }
    judgeScraps(found, life, bounds, &verdict)
    verdict.problems += judgePages(found)
    return verdict
  }

  private func settled(_ found: FoundStore) -> Set<Int64> {
    let decided = found.decisions.filter { ($0.status == .applied || $0.status == .noEffect) && $0.at <= found.cursor }
    return Set(decided.map(\.operation.operationNumber))
  }

  /// What nobody performed, what is back from where it had left for good, and what is out of order.
  private func strangers(in found: FoundStore) -> [String] {
    let numbers = found.pending.map(\.id.operationNumber)
    var problems = (numbers + found.attention).filter { !open.contains($0) }.map { "\($0) comes from nowhere" }
    if numbers != numbers.sorted() { problems.append("the outbox is out of order: \(numbers)") }
    problems += numbers.filter(found.attention.contains).map { "\($0) is pending and reported" }
    return problems
  }

  private func fate(
    of operation: Operation, _ pending: [Int64: OutboxItem], _ attention: Set<Int64>, _ settled: Set<Int64>
  ) -> Fate {
    let number = operation.number
    if pending[number] != nil { return .pending }
    if attention.contains(number) { return .reported }
    if settled.contains(number) { return .settled }
    if operation.isTakenBack { return .takenBack }
    return operation.isPutAway ? .putAway : .lost
  }

  /// What is found on disk is promised from now on; what is gone must stay so.
  private mutating func note(_ operation: Operation, _ fate: Fate, _ item: OutboxItem?) -> [String] {
    let number = operation.number
    switch fate {
    case .pending:
      operations[number]?.isPromised = true
      if item?.isVoided == false { operations[number]?.isTakenBack = false }
      if operation.isSent, case .saved? = item?.state { return ["\(number) was sent, which is forgotten"] }
    case .reported:
      operations[number]?.isPromised = true
      operations[number]?.isPutAway = false
    case .settled, .takenBack, .putAway, .onDevice: open.remove(number)
    case .lost:
      open.remove(number)
      if operation.isPromised { return ["\(number) (\(operation.action)) was saved and is lost"] }
    }
    return []
  }
}

// Objects.
extension KillScript {
  /// Saving keeps the order: whatever was performed before something that was kept is kept as well.
  private func bounds(of life: Int, _ verdict: Verdict) -> (saved: Int64, lost: Int64) {
    var bounds: (saved: Int64, lost: Int64) = (.min, .max)
    for (operation, fate) in verdict.fates where operation.life == life {
      switch fate {
      case .lost: bounds.lost = min(bounds.lost, operation.number)
      case .pending, .settled: bounds.saved = max(bounds.saved, operation.number)
      // What was built on an operation that the server refuses is reported with that one, saved or not.
      case .reported where operation.action != .refused: break
      case .reported: bounds.saved = max(bounds.saved, operation.number)
      case .takenBack, .putAway, .onDevice: break
      }
    }
    for operation in open.compactMap({ operations[$0] }) where operation.isOnDevice && operation.isPromised {
      bounds.saved = max(bounds.saved, operation.number)
    }
    return bounds
  }

  /// An object that never leaves the device is what its operations made of it, up to one between what was certainly
  /// saved and what was certainly lost.
  private mutating func judgeScraps(
    _ found: FoundStore, _ life: Int, _ bounds: (saved: Int64, lost: Int64), _ verdict: inout Verdict
  ) {
    let mine = open.sorted().compactMap { operations[$0] }.filter(\.isOnDevice)
    var expected = scraps
    for (id, steps) in Dictionary(grouping: mine, by: { $0.objects[0] }) {
      var states = [scraps[id]]
      for step in steps where step.number < bounds.lost { states.append(Marks.after(step, states.last!)) }
      let certain = steps.count { $0.number <= bounds.saved }
      let kept = states.indices.last { $0 >= certain && states[$0] == found.scraps[id] }
      if kept == nil {
        verdict.problems.append(
          "scrap \(id) is \(found.scraps[id].text) after \(steps.map(\.number)), saved up to \(bounds.saved)")
      }
      expected[id] = found.scraps[id]
      for (index, step) in steps.enumerated() { verdict.fates.append((step, index < kept ?? 0 ? .onDevice : .lost)) }
    }
    open.subtract(mine.map(\.number))
    if expected != found.scraps { verdict.problems.append("a scrap changed that nobody touched") }
    scraps = found.scraps
  }

  /// What the server has applied up to the cursor, with what is pending on top.
  private func judgePages(_ found: FoundStore) -> [String] {
    var pages: [Int64: Marks] = [:]
    func apply(_ id: UUIDValue) {
      guard let operation = operations[id.operationNumber] else { return }
      for object in operation.objects { pages[object] = Marks.after(operation, pages[object]) }
    }
    for decision in found.decisions where decision.status == .applied && decision.at <= found.cursor {
      apply(decision.operation)
    }
    for item in found.pending where !item.isVoided && item.outcome?.isRefusal != true { apply(item.id) }
    return Set(pages.keys).union(found.pages.keys).sorted().filter { pages[$0] != found.pages[$0] }.map {
      "page \($0) is \(found.pages[$0].text), not \(pages[$0].text)"
    }
  }
}

extension KillScript.Operation {
  var isOnDevice: Bool { [.createScrap, .markScrap, .deleteScrap].contains(action) }
}

extension OperationOutcome {
  fileprivate var isRefusal: Bool { status != .applied && status != .noEffect }
}

extension Marks? {
  fileprivate var text: String { map { "\($0.numbers.sorted()), last \($0.last), count \($0.count)" } ?? "not there" }
}

/// The victim said what no line says.
private struct UnknownLine: Error {
  var text: String
}
