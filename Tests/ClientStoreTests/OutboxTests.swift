// Tests an outbox without a store: which operations leave it together, and which ones may be sent.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientStore

@Suite struct OutboxTests {
  private let queue = QueueID.queue(2)

  private func id(_ number: UInt64) -> UUIDValue { .object(number, in: queue) }

  private func operation(
    _ number: Int64, _ changes: [ObjectChange], _ edit: (inout OutboxEntry) -> Void = { _ in }
  ) -> OutboxEntry {
    let id = OperationID(high: 7, low: UInt64(number))
    var operation = OutboxEntry(
      number: number, id: id, queue: queue, name: "entry.\(number)", parameters: [],
      changes: OperationChanges(objects: changes), bytes: [], performedAt: .zero)
    operation.isSaved = true
    edit(&operation)
    return operation
  }

  private func create(_ number: UInt64) throws -> ObjectChange {
    ObjectChange(id(number), .create(type: "entry", try Patch(bytes: [])))
  }

  private func edit(_ number: UInt64) throws -> ObjectChange {
    ObjectChange(id(number), .patch(try Patch(bytes: [])))
  }

  private func outbox(_ operations: [OutboxEntry]) -> Outbox {
    var outbox = Outbox()
    for operation in operations { outbox.append(operation) { _ in nil } }
    return outbox
  }

  private func settlement(of outbox: Outbox, _ outcomes: [Int64: OperationOutcome.Status]) -> Settlement {
    var settlement = Settlement()
    let outcomes = outcomes.map {
      OperationOutcome(operation: OperationID(high: 7, low: UInt64($0)), status: $1, at: 1)
    }
    outbox.decide(&settlement, in: queue, outcomes: outcomes, cursor: 1)
    return settlement
  }

  /// A list did not hear of it, and lacked the object.
  @Test func createThatShowsOnceADeleteIsForgottenIsTold() throws {
    var outbox = Outbox(tombstones: [id(1): Tombstone(queue: queue, revision: 5)])
    outbox.append(operation(1, [try create(1)])) { _ in nil }
    #expect(outbox.overlay[id(1)]?.view == nil && outbox.takeChanges().ids.isEmpty)
    outbox.keep([:], of: queue)
    #expect(outbox.overlay[id(1)]?.view != nil && outbox.takeChanges().ids == [id(1)])
  }

  @Test func editFailsIfEveryCreateOfItsObjectIsRefused() throws {
    let sent = { (operation: inout OutboxEntry) in operation.firstSent = .zero }
    let outbox = outbox([
      operation(1, [try create(1)], sent), operation(2, [try create(1)], sent), operation(3, [try edit(1)]),
      operation(4, [try edit(9)]),
      // Operation 5 edits the object before operation 6 creates it, so it does not depend on that.
      operation(5, [try edit(2)]), operation(6, [try create(2)], sent), operation(7, [try edit(2)]),
    ])
    let settlement = settlement(
      of: outbox, [1: .rejected("forbidden"), 2: .rejected("forbidden"), 6: .rejected("forbidden")])
    #expect(settlement.leaving == [1, 2, 3, 6, 7])
    #expect(
      settlement.failedOperations.map(\.reason.code) == [.forbidden, .forbidden, .dependency, .forbidden, .dependency])
    #expect(settlement.failedOperations[2].reason.message.contains("entry.1"), "it names what it was built on")
  }

  @Test func editStaysIfAnotherCreateIsPending() throws {
    let outbox = outbox([
      operation(1, [try create(1)]) { $0.firstSent = .zero }, operation(2, [try create(1)]),
      operation(3, [try edit(1)]),
    ])
    #expect(settlement(of: outbox, [1: .rejected("forbidden")]).leaving == [1])
  }

  @Test func dependentLeavesWithOperationWithoutEffect() throws {
    let first = operation(1, [try edit(1)]) { $0.firstSent = .zero }
    let outbox = outbox([
      first, operation(2, [try create(2)]) { $0.dependencies = [first.id] }, operation(3, [try edit(2)]),
    ])
    let settlement = settlement(of: outbox, [1: .noEffect])
    #expect(settlement.failedOperations.map(\.reason.code) == [.noEffect, .dependency, .dependency])
    #expect(settlement.leaving == [1, 2, 3])
  }

  /// Operations that wait for files do not count as under way. Each operation edits an object of its own, so nothing
  /// else keeps the last one back.
  @Test(arguments: [true, false]) func operationWaitingForFilesHoldsUpNoOther(waits: Bool) throws {
    let count = Outbox.maximumUnderWay
    let waiting = try (1...count).map { number in
      operation(Int64(number), [try edit(UInt64(number))]) {
        $0.firstSent = .zero
        $0.isWaiting = waits
      }
    }
    let outbox = outbox(waiting + [operation(Int64(count) + 1, [try edit(0)])])
    let sendable = outbox.sendable(in: queue, limit: .max)
    #expect(sendable.map(\.number).contains(Int64(count) + 1) == waits)
    #expect(sendable.count == (waits ? 1 : count))
  }

  /// A copy of an earlier answer may be late. An outcome that has changed something is final for every attempt.
  @Test(arguments: [
    (OperationOutcome.Status.rejected("forbidden"), false), (.noEffect, false), (.applied, true), (.unknown, true),
  ])
  func whatAnEarlierAttemptDidNotChangeIsNoOutcome(status: OperationOutcome.Status, leaves: Bool) throws {
    let outbox = outbox([
      operation(1, [try edit(1)]) { ($0.firstSent, $0.attempt) = (.zero, 1) }
    ])
    #expect(settlement(of: outbox, [1: status]).leaving == (leaves ? [1] : []))
  }
}
