// The hand of a user on a store, and the memory of what it did.

import ClientStore
import ClientSync
import ModelTypes
import TestSupport
import WireFormat

/// What is about to be done.
struct PlannedAction {
  var number: Int
  var edits: [Performed.Edit]
  var isConditional = false
  var after: [UUIDValue] = []
  var photo: UUIDValue?
  var body: (inout OperationContext) throws -> Void
}

extension PlannedAction {
  /// What is on the screen of the objects that it edits.
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
  func perform(_ actions: [PlannedAction], in queue: QueueID, on device: Device) -> [UUIDValue] {
    guard let store = device.store else { return [] }
    let before = store.outbox.map(\.id)
    let seen = actions.map { $0.isConditional ? $0.seen(in: store) : [:] }
    let handles =
      actions.count == 1
      ? [store.perform(UserAction(body: actions[0].body), after: actions[0].after)]
      : store.perform(contentsOf: actions.map { UserAction(body: $0.body) })
    var taken: [UUIDValue] = []
    if actions.count > 1 { count("batches") }
    for (index, (action, handle)) in zip(actions, handles).enumerated() {
      if case .failed(let error) = handle.state {
        trace("\(device.name) is refused: \(error)")
        count("refused when performed")
        continue
      }
      let operation = Performed(
        id: handle.id, author: device.name, number: action.number, queue: queue.rawValue, edits: action.edits,
        isConditional: action.isConditional, after: action.after, photo: action.photo, seen: seen[index])
      operations.add(operation)
      device.record.note(handle)
      taken.append(handle.id)
      count("operations")
      if action.isConditional { count("conditional edits") }
      if action.photo != nil { count("messages about photos") }
      if !action.after.isEmpty { count("declared dependencies") }
      count("edits", action.edits.count)
      trace(
        "\(device.name) performs \(operation.name), \(operation.id.short), on \(action.edits.map { "\($0.kind) \($0.object.short)" })"
      )
    }
    device.record.noteVanished(Set(before).subtracting(store.outbox.map(\.id)))
    return taken
  }

  func randomID() -> UUIDValue { UUIDValue(high: random.next(), low: random.next()) }
}

extension Device {
  /// Its files have reached the server.
  func noteUploaded(_ files: [ContentHash], in queue: QueueID) {
    guard let life else { return }
    life.store.noteUploaded(Set(files), in: queue)
  }

  func resume() {
    guard let life else { return }
    life.process.executor.spawn { [client = life.client] in await client.resume() }
  }

  func pause() {
    guard let life else { return }
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
  /// Enough to tell the objects of a run apart.
  var short: String { high < 0x10000 ? "p\(low)" : String(description.prefix(4)) }
}

extension ContentHash {
  /// The hash of the file of a photo: any four words will do.
  static func of(_ id: UUIDValue) -> Self { Self(words: (id.high, id.low, 1, 2)) }
}
