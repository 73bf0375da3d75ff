// Performs the operations of users on their stores, and notes them for the oracles.

import ClientStore
import ClientSync
import ModelTypes
import SampleIDs
import SyncProtocol
import TestSupport
import WireFormat

/// An operation that is about to be performed.
struct PlannedAction {
  var number: Int
  var edits: [Performed.Edit]
  var isConditional = false
  var after: [OperationID] = []
  var photo: UUIDValue?
  var needs: String?
  /// The file that it requires.
  var file: ContentHash?
  /// The file that its object names, or that it requires.
  var named: ContentHash?
  var body: (inout OperationContext) throws -> Void
}

extension PlannedAction {
  /// The objects that it edits, as the screen shows them.
  func seen(in store: ModelStore) -> [UUIDValue: [UInt8]?] {
    Dictionary(
      uniqueKeysWithValues: edits.map { edit in
        (edit.object, try? store.object(ObjectID<Photo>(edit.object))?.encoded())
      })
  }
}

extension World {
  /// Performs operations of one queue, and returns the ids of those that the store took.
  @discardableResult
  func perform(_ actions: [PlannedAction], in queue: QueueID, on device: Device) -> [OperationID] {
    guard let store = device.store else { return [] }
    let before = store.pendingOperations.map(\.id)
    // While a page is written, the disk is ahead of the screen.
    let wasIdle = device.life?.process.executor.isIdle ?? false
    let seen = actions.map { $0.isConditional ? $0.seen(in: store) : [:] }
    let handles =
      actions.count == 1
      ? [store.perform(UserAction(body: actions[0].body), after: actions[0].after)]
      : store.perform(contentsOf: actions.map { UserAction(body: $0.body) })
    // Asked for once: a batch behind thousands of operations would ask for all of them each time.
    let pending = store.pendingOperations
    let items = Dictionary(pending.map { ($0.id, $0) }) { _, last in last }
    var taken: [OperationID] = []
    if actions.count > 1 { count("batches") }
    for (index, (action, handle)) in zip(actions, handles).enumerated() {
      if case .failed(let error) = handle.state {
        trace("\(device.name) is refused: \(error)")
        count(error.code == .forbidden ? "forbidden when performed" : "refused when performed")
        continue
      }
      let operation = Performed(
        id: handle.id, author: device.name, number: action.number, order: action.number, queue: queue,
        edits: action.edits,
        isConditional: action.isConditional, after: action.after, photo: action.photo,
        needs: action.needs, file: action.file,
        named: action.named.map { .init(hash: $0, isHere: device.hasBytes(of: $0)) }, seen: seen[index])
      operations.add(operation)
      device.record.note(handle)
      device.record.usedQueues.insert(queue)
      if wasIdle { checkSeen(operation, on: device, items[handle.id]) }
      taken.append(handle.id)
      if action.isConditional { count("conditional edits") }
      if action.photo != nil { count("messages about photos") }
      if !action.after.isEmpty { count("declared dependencies") }
      count("edits", action.edits.count)
      trace(
        "\(device.name) performs \(operation.name), \(operation.id.short), on \(action.edits.map { "\($0.kind) \($0.object.short)" })"
      )
    }
    device.record.noteVanished(Set(before).subtracting(items.keys))
    return taken
  }

  /// Reports a create whose `seen` is not the place of the shown rows on the disk. Staged pages do not count.
  private func checkSeen(_ operation: Performed, on device: Device, _ item: PendingOperation?) {
    guard !isDiskFailing(of: device), let queue = try? device.life?.rows.read()[operation.queue] else { return }
    for change in item?.changes.objects ?? [] {
      guard case .create(_, _, let revival) = change.action else { continue }
      let expected = queue.cursor > 0 ? queue.history.map { SeenVersion(history: $0, cursor: queue.cursor) } : nil
      if revival.seen != expected {
        oracles.report("\(operation.name) says that \(revival) was seen, not \(expected.map { "\($0)" } ?? "nothing")")
      }
      let tombstone = server.history.state.queues[operation.queue]?.objects[change.object]
      guard let tombstone, tombstone.live == nil else { continue }
      let isSeen = revival.overcomes(tombstone: tombstone.revision, history: server.name)
      count(isSeen ? "creates after a delete that was seen" : "creates after a delete that was not seen")
    }
  }

  func randomOperation() -> OperationID { OperationID(randomID()) }

  func randomID() -> UUIDValue { UUIDValue(high: random.next(), low: random.next()) }

  /// An id for a new object.
  func randomID(in queue: QueueID) -> UUIDValue { .bound(to: queue, chosen: random.next()) }

  /// An id for a new queue.
  func randomQueue() -> QueueID { .queue(random.next() >> 2) }
}

extension Device {
  func resume() {
    isPaused = false
    guard let life else { return }
    life.process.executor.spawn { [client = life.client] in await client.resume() }
  }

  func pause() {
    guard let life else { return }
    isPaused = true
    pauses += 1
    life.process.executor.spawn { [client = life.client] in await client.pause() }
  }
}

extension SeededRandom {
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropLast() { elements.swapAt(index, index + below(elements.count - index)) }
    return elements
  }
}

extension UUIDValue {
  /// A short text, enough to tell the objects of a run apart.
  var short: String {
    if high >> 32 != 0 { return String(description.prefix(4)) }
    return isVersion4 ? "q\(String(low & 0xFFFF, radix: 16))" : "p\(high >> 16)"
  }
}

extension ObjectID {
  var short: String { rawValue.short }
}
