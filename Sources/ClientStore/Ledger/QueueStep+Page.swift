// The effect of a page of a delta. Pages are staged until the last one has come, then all are shown together.

import SyncProtocol
import WireFormat

extension SyncLedger {
  /// The step for a page. `objects` has the staged objects that pending operations touch, then those of the page.
  func pageStep(_ page: DeltaPage, of answer: AnsweredDelta, _ objects: ArrivedObjects) -> QueueStep {
    let (queue, place) = (answer.question.queue, answer.question.place)
    guard let end = page.end, !isToBeAskedMore(answer.question) else { return staging(page, answer.question) }
    var step = QueueStep(queue, from: place, to: place.revealing(page, in: sync.history))
    step.role = sync.news(page.role, in: queue)
    let isSweeping = place.load == .reloading
    step.objects = .reveal(page.objects, sweeping: isSweeping)
    step.forgetsTombstones = !outbox.hasOperations(in: queue)
    step.isSinglePage = place.load == .loaded && place.position == place.cursor
    step.digest = end.digest
    step.oldestRetired = answer.time.oldestRetired
    step.settlement.arrived = objects
    let word = outbox.word(of: end, page, of: answer)
    step.settlement.revealed = word.asked.filter { outbox.operations[$0]?.isHidden == true }
    outbox.decide(
      &step.settlement, in: queue, outcomes: word.outcomes, forgetting: word.forgotten, cursor: page.cursor,
      isSweeping: isSweeping)
    step.retiring = outbox.retiring(step.settlement, at: answer.time)
    return step
  }

  /// Whether outcomes have to be asked for before the load is complete. A page that goes on with a scan asks for none.
  private func isToBeAskedMore(_ question: DeltaQuestion) -> Bool {
    let awaitsOutcomes = outbox.queues[question.queue].map { !($0.underWay.isEmpty && $0.settled.isEmpty) } ?? false
    return question.place.scan != nil && awaitsOutcomes
  }

  private func staging(_ page: DeltaPage, _ question: DeltaQuestion) -> QueueStep {
    var step = QueueStep(question.queue, from: question.place, to: question.place.after(page))
    step.role = sync.news(page.role, in: question.queue)
    let isFirst = step.place.load == .loading
    let early = isFirst ? page.objects.filter { outbox.overlay[$0.id] == nil } : []
    step.objects = .stage(isFirst ? page.objects.filter { outbox.overlay[$0.id] != nil } : page.objects, early: early)
    // Settled too, because the user may touch one of them before the step is written.
    step.settlement.arrived = ArrivedObjects(early)
    return step
  }
}

extension Outbox {
  /// The word of a complete page about the operations that were asked for. Its rows are those of the server, so the word
  /// replaces the outcomes that are held here.
  fileprivate struct Word {
    /// The operations that were asked for and are still here.
    var asked: Set<Int64> = []
    var outcomes: [OperationOutcome] = []
    /// Operations whose outcome the server has lost.
    var forgotten: Set<Int64> = []
  }

  fileprivate func word(of end: DeltaPage.End, _ page: DeltaPage, of answer: AnsweredDelta) -> Word {
    let queue = answer.question.queue
    var word = Word(outcomes: end.outcomes)
    let told = Set(end.outcomes.compactMap { own($0, in: queue) })
    for id in answer.question.asked {
      guard let number = number(of: id), let operation = operations[number], operation.queue == queue else { continue }
      word.asked.insert(number)
      if told.contains(number) { continue }
      // The server forgets outcomes of this age.
      if let held = operation.outcome, held.time < end.retention, held.at <= page.head { continue }
      if let firstSent = operation.firstSent, firstSent < end.retention {
        // The server may have applied and forgotten it, and never applies it again.
        word.outcomes.append(OperationOutcome(operation: id, status: .unknown, at: 0, time: answer.time))
      } else if operation.outcome != nil {
        word.forgotten.insert(number)
      }
    }
    return word
  }

  /// The leaving operations that have happened, with the times of their outcomes; `now` for one without an outcome, an
  /// end that met the end of somebody else. Those without effect count too, since the objects that they found may be
  /// lost with the server's history.
  func retiring(_ settlement: Settlement, at now: Timestamp) -> [Int64: Timestamp] {
    let reported = Set(settlement.failedOperations.map(\.id))
    let outcomes = settlement.outcomesByNumber
    var times: [Int64: Timestamp] = [:]
    for number in settlement.leaving {
      guard let operation = operations[number], !reported.contains(operation.id) else { continue }
      times[number] = (outcomes[number] ?? operation.outcome)?.time ?? now
    }
    return times
  }
}

extension [OperationOutcome] {
  var byOperation: [OperationID: OperationOutcome] {
    Dictionary(map { ($0.operation, $0) }) { first, _ in first }
  }
}
