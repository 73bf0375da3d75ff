// The steps that a process has printed before it was killed, in all of its lives, and a check of the store left by it.

import ModelSupport

@testable import StoreVictim

struct KillScript {
  struct Operation {
    let number: Int64
    let action: VictimLine.Action
    let objects: [Int64]
    let life: Int
    /// Nil if the process was killed before it had printed that the operation was performed.
    var performedAtNanoseconds: UInt64?
    /// Whether its `waitUntilSaved()` returned, it was sent, or it was found on disk. It must never be lost from then
    /// on.
    var isPromised = false
    var isSent = false
    /// Whether it may have been cancelled, and whether its report may have been dismissed.
    var isTakenBack = false
    var isPutAway = false
  }

  /// The places where an operation can be found after a kill.
  enum Fate: CaseIterable {
    case pending, settled, reported, takenBack, putAway
    /// Performed and not saved.
    case lost
    /// In effect on an object that never leaves the device.
    case onDevice
  }

  private(set) var operations: [Int64: Operation] = [:]
  /// The numbers of operations whose fate may still change: pending, reported, or performed in this life.
  private(set) var open: Set<Int64> = []
  /// The newest cursor that was printed, or found on disk.
  private(set) var cursor: Int64 = 0
  private var scraps: [Int64: Marks] = [:]
  private var savedAfter: [UInt64] = []

  /// Returns the times from performing to `waitUntilSaved()` since the last call, in nanoseconds.
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
    /// Broken promises; empty if there are none.
    var problems: [String] = []
    var fates: [(operation: Operation, fate: Fate)] = []
  }

  /// Compares the store found after a kill with the promises that were printed. Everything on disk counts as promised
  /// then.
  mutating func judge(_ found: FoundStore, life: Int) -> Verdict {
    var verdict = Verdict(problems: found.damage)
    if found.cursor < cursor { verdict.problems.append("the cursor went back from \(cursor) to \(found.cursor)") }
    cursor = found.cursor
    verdict.problems += strangers(in: found)
    let isSettled = settled(found)
    let pending = Dictionary(uniqueKeysWithValues: found.pending.map { ($0.id.operationNumber, $0) })
    for number in open.sorted() {
      guard let operation = operations[number], !operation.isOnDevice else { continue }
      let fate = fate(of: operation, pending, found.failedOperations, isSettled)
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

  /// Operations that nobody performed or that had left for good, that are both pending and reported, or out of order.
  private func strangers(in found: FoundStore) -> [String] {
    let numbers = found.pending.map(\.id.operationNumber)
    var problems = (numbers + found.failedOperations).filter { !open.contains($0) }.map { "\($0) comes from nowhere" }
    if numbers != numbers.sorted() { problems.append("the outbox is out of order: \(numbers)") }
    problems += numbers.filter(found.failedOperations.contains).map { "\($0) is pending and reported" }
    return problems
  }

  private func fate(
    of operation: Operation, _ pending: [Int64: PendingOperation], _ failedOperations: Set<Int64>, _ settled: Set<Int64>
  ) -> Fate {
    let number = operation.number
    if pending[number] != nil { return .pending }
    if failedOperations.contains(number) { return .reported }
    if settled.contains(number) { return .settled }
    if operation.isTakenBack { return .takenBack }
    return operation.isPutAway ? .putAway : .lost
  }

  /// Notes the fate of an operation, and returns broken promises. An operation on disk is promised from now on; one
  /// that has left must stay away.
  private mutating func note(_ operation: Operation, _ fate: Fate, _ item: PendingOperation?) -> [String] {
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
  /// The newest operation of this life that was certainly saved, and the oldest that was certainly lost. Saving keeps
  /// the order, so everything performed before a saved operation is saved too.
  private func bounds(of life: Int, _ verdict: Verdict) -> (saved: Int64, lost: Int64) {
    var bounds: (saved: Int64, lost: Int64) = (.min, .max)
    for (operation, fate) in verdict.fates where operation.life == life {
      switch fate {
      case .lost: bounds.lost = min(bounds.lost, operation.number)
      case .pending, .settled: bounds.saved = max(bounds.saved, operation.number)
      // An operation that depends on a refused one is reported with it, saved or not.
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

  /// Checks the objects that never leave the device. Each must be as its operations made it up to one of them, which is
  /// not older than the last certainly saved one, and older than the first certainly lost one.
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

  /// Checks the pages. Each must be as the server's decisions up to the cursor made it, with pending operations on top.
  private func judgePages(_ found: FoundStore) -> [String] {
    var pages: [Int64: Marks] = [:]
    func apply(_ id: OperationID) {
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

/// The victim printed a line that is no `VictimLine`.
private struct UnknownLine: Error {
  var text: String
}
