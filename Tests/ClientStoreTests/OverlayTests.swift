// Tests the replay of pending operations over confirmed state, without a store.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientStore

@Suite struct OverlayTests {
  private let queue = QueueID.queue(2)
  private var id: UUIDValue { .object(1, in: queue) }

  private func operation(_ number: Int64, _ changes: ObjectChange...) -> OutboxEntry {
    let id = OperationID(high: 7, low: UInt64(number))
    return OutboxEntry(
      number: number, id: id, queue: queue, name: "entry.edit", parameters: [],
      changes: OperationChanges(objects: changes), bytes: [], performedAt: .zero)
  }

  /// The content of an object whose only field has a value below 128.
  private func content(_ value: UInt8) -> [UInt8] { [1 << 3, value] }

  private func edit(_ value: UInt8) throws -> ObjectChange {
    ObjectChange(id, .patch(try Patch(set: content(value))))
  }

  private func create(_ value: UInt8, seen cursor: Int64? = nil) throws -> ObjectChange {
    let seen = cursor.map { SeenVersion(history: history, cursor: $0) }
    return ObjectChange(id, .create(type: "entry", try Patch(set: content(value)), Revival(seen: seen)))
  }

  private let history = HistoryID(high: 8, low: 8)

  private func confirmed(_ value: UInt8) -> ObjectVersion {
    ObjectVersion(queue: queue, type: "entry", content: content(value), system: StoredSystemFields(at: .zero))
  }

  private func outbox(over object: ObjectVersion?, _ operations: OutboxEntry...) -> Outbox {
    var outbox = Outbox()
    for operation in operations { outbox.append(operation) { _ in object } }
    return outbox
  }

  private struct Unreadable: Error {}

  @Test func operationWhoseSecondObjectCannotBeReadLeavesNothing() throws {
    let other = ObjectChange(.object(2, in: queue), .delete)
    var outbox = Outbox()
    #expect(throws: Unreadable.self) {
      try outbox.append(operation(1, try edit(5), other)) { id in
        guard id == self.id else { throw Unreadable() }
        return confirmed(1)
      }
    }
    #expect(outbox.overlay.objects.isEmpty && outbox.numbers.isEmpty)
  }

  @Test func returnedOperationsAreReplayedInTheirPlaces() throws {
    let operations = [operation(1, try edit(1)), operation(2, try edit(2)), operation(3, try edit(3))]
    var outbox = outbox(over: confirmed(0), operations[1])
    outbox.putBack([operations[0]])
    #expect(outbox.overlay[id]?.view == confirmed(2))
    // The second one is here already.
    outbox.putBack([operations[1], operations[2]])
    #expect(outbox.numbers == [1, 2, 3])
    #expect(outbox.overlay[id]?.changes.map(\.operation) == [1, 2, 3])
    #expect(outbox.overlay[id]?.view == confirmed(3))
    #expect(outbox.overlay.stale.isEmpty, "its confirmed state was known")
  }

  @Test func objectThatOnlyReturnedOperationsTouchIsReadAgain() throws {
    var outbox = Outbox()
    outbox.putBack([operation(1, try edit(1))])
    #expect(outbox.overlay.stale == [id] && outbox.overlay[id]?.view == nil)
    #expect(throws: Unreadable.self) { try outbox.refreshedObject(id) { _ in throw Unreadable() } }
    #expect(outbox.overlay.stale == [id])
    #expect(outbox.refreshedObject(id) { _ in confirmed(0) }?.view == confirmed(1))
    #expect(outbox.overlay.stale.isEmpty && outbox.applies(1))
  }

  @Test func hiddenOperationShowsAgain() throws {
    var outbox = outbox(over: confirmed(0), operation(1, try edit(1)), operation(2, try edit(2)))
    outbox.update(1) { $0.isVoided = true }
    outbox.update(2) { $0.isHidden = true }
    #expect(outbox.overlay[id]?.view == confirmed(0))
    outbox.update(1) { $0.isVoided = false }
    #expect(outbox.overlay[id]?.view == confirmed(1))
    outbox.update(2) { $0.isHidden = false }
    #expect(outbox.overlay[id]?.view == confirmed(2))
  }

  @Test func objectWithoutOperationsLeaves() throws {
    var outbox = outbox(over: confirmed(0), operation(1, try edit(1)), operation(2, try edit(2)))
    outbox.doubtObjects(of: queue, isGone: false)
    outbox.remove([2])
    #expect(outbox.overlay[id]?.view == confirmed(1) && outbox.overlay.stale == [id])
    outbox.remove([1])
    #expect(outbox.overlay.objects.isEmpty && outbox.overlay.stale.isEmpty)
  }

  @Test func createStandsOrFallsWithTheDeleteThatItsAuthorSaw() throws {
    var outbox = outbox(over: nil, operation(1, try create(1, seen: 5)), operation(2, try edit(2)))
    let tombstone = { (revision: Int64) in [id: Tombstone(queue: queue, revision: revision, history: history)] }
    #expect(outbox.overlay[id]?.view == confirmed(2))
    outbox.keep(tombstone(6), of: queue)
    #expect(outbox.overlay[id]?.view == nil)
    #expect(!outbox.applies(1) && !outbox.applies(2))
    outbox.keep(tombstone(5), of: queue)
    #expect(outbox.overlay[id]?.view == confirmed(2))
    outbox.keep([:], of: queue)
    #expect(outbox.applies(1) && outbox.applies(2))
  }

  @Test func editOfDeletedObjectDoesNotApply() throws {
    var outbox = outbox(over: confirmed(0), operation(1, try edit(1)), operation(2, ObjectChange(id, .delete)))
    #expect(outbox.overlay[id]?.view == nil && outbox.applies(1) && outbox.applies(2))
    outbox.confirm(ArrivedObjects([ObjectState(id: id, revision: 1, live: nil)]), in: queue)
    #expect(!outbox.applies(1) && outbox.applies(2), "what is gone can be deleted again")
  }
}
