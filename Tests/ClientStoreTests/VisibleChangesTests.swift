// Tests what the outbox collects for lists and observers, without a store.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientStore

@Suite struct VisibleChangesTests {
  private let queue = QueueID.queue(2)

  private func id(_ number: UInt64) -> UUIDValue { .object(number, in: queue) }

  private func operation(_ number: Int64, deleting ids: UUIDValue..., isSaved: Bool = false) -> OutboxEntry {
    OutboxEntry(
      number: number, id: OperationID(high: 7, low: UInt64(number)), queue: queue, name: "entry.delete", parameters: [],
      changes: OperationChanges(objects: ids.map { ObjectChange($0, .delete) }), bytes: [], performedAt: .zero,
      isSaved: isSaved)
  }

  private func arrived(_ ids: UUIDValue...) -> ArrivedObjects {
    ArrivedObjects(ids.map { ObjectState(id: $0, revision: 1, live: nil) })
  }

  @Test func operationsThatComeAndLeaveAreChanges() {
    var outbox = Outbox()
    outbox.append(operation(1, deleting: id(1), isSaved: true)) { _ in nil }
    #expect(outbox.takeChanges().isEmpty, "lists and observers begin with what was loaded")
    outbox.append(operation(2, deleting: id(2), id(3))) { _ in nil }
    #expect(outbox.takeChanges().ids == [id(2), id(3)])
    outbox.putBack([operation(3, deleting: id(4))])
    outbox.remove([1])
    #expect(outbox.takeChanges().ids == [id(1), id(4)])
    #expect(outbox.changes.isEmpty)
  }

  @Test func onlyShownAndHiddenOperationsAreChanges() {
    var outbox = Outbox()
    outbox.append(operation(1, deleting: id(1), isSaved: true)) { _ in nil }
    outbox.update(1) { $0.firstSent = .zero }
    #expect(outbox.changes.isEmpty)
    outbox.update(1) { $0.isHidden = true }
    #expect(outbox.takeChanges().ids == [id(1)])
    outbox.update(1) { $0.isVoided = true }
    #expect(outbox.changes.isEmpty, "it was hidden before")
  }

  @Test func endOfQueueIsAChangeEvenIfItIsNotReplayed() {
    var (outbox, end) = (Outbox(), operation(1, deleting: queue.root))
    end.isHidden = true
    outbox.putBack([end])
    #expect(outbox.ending == [queue] && outbox.takeChanges().ids == [queue.root])
    outbox.update(1) { $0.isVoided = true }
    #expect(outbox.ending.isEmpty && outbox.takeChanges().ids == [queue.root])
  }

  @Test(arguments: [true, false]) func arrivedObjectIsASingleChangeIfAnOperationTouchesIt(isLarge: Bool) {
    var outbox = Outbox()
    outbox.append(operation(1, deleting: id(1), isSaved: true)) { _ in nil }
    outbox.append(operation(2, deleting: id(2))) { _ in nil }
    outbox.append(operation(3, deleting: id(3), id(4))) { _ in nil }
    outbox.remove([2, 3])
    outbox.confirm(isLarge ? arrived(id(1), id(2), id(5), id(6)) : arrived(id(1), id(2)), in: queue)
    let changes = outbox.takeChanges()
    #expect(changes.ids == [id(1), id(3), id(4)])
    #expect(changes.batches.count == 1)
    #expect(changes.batches[0].mayChange(id(2)) && !changes.batches[0].mayChange(id(3)))
  }

  @Test func stepWithoutObjectsIsNoChange() {
    var outbox = Outbox()
    outbox.confirm(arrived(), in: queue)
    #expect(outbox.changes.isEmpty)
    outbox.doubtObjects(of: queue, isGone: true)
    #expect(outbox.changes.batches[0].mayChange(id(1)))
  }
}
