// Compares what a device shows with its rows and outbox, and at the end with the server's objects.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// Reports an object that is not shown as its confirmed row with the outbox replayed on top, worked out from scratch.
  func screenIsRowsAndOutbox(_ device: Device, _ look: Look) throws {
    let (rows, touched) = (look.memory.rows, look.memory.touched)
    var expected: [UUIDValue: ShownObject] = [:]
    for id in look.changed {
      expected[id] = rows[id].map { row in
        let origin = ShownObject.Origin(by: row.createdBy ?? device.user, at: row.createdAt, changedAt: row.updatedAt)
        return ShownObject(type: row.type, content: row.content, origin)
      }
    }
    for item in look.outbox where !item.isVoided && item.outcome?.status.isDone ?? true {
      // The rows have what is sent again after a loss.
      if item.queue.map({ look.queues[$0]?.hidden.contains(item.id) ?? false }) ?? false { continue }
      for change in item.changes.objects {
        let isDeleted = item.queue.map { look.queues[$0]?.keepsDeleted(change) ?? false } ?? false
        if expected[change.object] == nil, isDeleted { continue }
        expected[change.object] = ShownObject(
          change, on: expected[change.object], by: device.user, at: item.performedAt.millisecondsSince1970)
      }
    }
    for id in hiddenObjects(look) { expected[id] = nil }
    if world.plan.faults.contains(.forgery) {
      for (id, object) in expected where isForged(object, id, look) { expected[id] = nil }
    }
    if look.isFirst { device.shown = ShownObjects() }
    for id in look.changed.sorted() {
      device.shown.show(expected[id], as: id)
      if let difference = try difference(of: id, expected[id], look) {
        report("wrong on the screen: \(device.name), \(id.short): \(difference)")
      }
    }
    for id in touched.union(rows.keys).sorted() {
      if look.store.isPending(ObjectID<Photo>(id)) != touched.contains(id) {
        report(
          "wrong on the screen: \(device.name), \(id.short) is \(touched.contains(id) ? "not " : "")shown as pending")
      }
    }
  }

  /// The objects of hidden queues: all of them are hidden at once.
  private func hiddenObjects(_ look: Look) -> Set<UUIDValue> {
    guard !look.hidden.isEmpty else { return [] }
    world.count("looks at queues that end", look.hidden.count)
    var objects: Set<UUIDValue> = []
    for queue in look.hidden { objects.formUnion(look.queues[queue]?.rows.keys ?? [:].keys) }
    for item in look.outbox where item.queue.map({ look.hidden.contains($0) }) ?? false {
      objects.formUnion(item.changes.objects.map(\.object))
    }
    return objects
  }

  /// Whether an object names another queue than the one in which it lies. Such an object is shown nowhere.
  private func isForged(_ object: ShownObject, _ id: UUIDValue, _ look: Look) -> Bool {
    guard let queue = object.namedQueue(id) else { return false }
    let lies =
      look.queues[queue]?.rows[id] != nil
      || look.outbox.contains { item in
        item.queue == queue && item.changes.objects.contains { $0.object == id }
      }
    if !lies { world.count("looks at forged objects") }
    return !lies
  }

  private func difference(of id: UUIDValue, _ expected: ShownObject?, _ look: Look) throws -> String? {
    let photo = try readable { try look.photo(id) }
    if let difference = try difference(photo, ObjectID(id), expected, look) { return difference }
    // An object has one type, so one that is shown as a photo is nothing else.
    if photo != nil { return nil }
    let root = try readable { try look.store.object(ObjectID<AlbumRoot>(id)) }
    if let difference = try difference(root, ObjectID(id), expected, look) { return difference }
    return try difference(readable { try look.store.object(ObjectID<Message>(id)) }, ObjectID(id), expected, look)
  }

  private func difference<Object: Model>(
    _ shown: Object?, _ id: ObjectID<Object>, _ expected: ShownObject?, _ look: Look
  ) throws -> String? {
    let object = try readable { try expected?.object(Object.self, id.rawValue) }
    if try shown?.encoded() == object?.encoded() { return try shown.flatMap { try difference($0, expected, look) } }
    return "\(shown.map { "\($0)" } ?? "nothing") and not \(object.map { "\($0)" } ?? "nothing")"
  }

  /// Describes system fields that differ; nil if none does.
  private func difference<Object: Model>(_ shown: Object, _ expected: ShownObject?, _ look: Look) throws -> String? {
    let found = try look.store.systemFields(of: shown.id).map(ShownObject.Origin.init)
    return found == expected?.origin
      ? nil : "made \(String(describing: found)) and not \(String(describing: expected?.origin))"
  }

  /// Nil if nobody can read the object, for example an edit of a photo on top of another object that was made under its
  /// id.
  private func readable<Object>(_ read: () throws -> Object?) throws -> Object? {
    do { return try read() } catch let error as StoreError where error.code == .damaged {
      return nil
    } catch is WireError { return nil }
  }

  /// Reports a device whose lists are not the server's objects in the queues of its user, byte for byte.
  func screenIsTheServer(_ device: Device) throws {
    guard let store = device.store else { return }
    var expected: [UUIDValue: ShownObject] = [:]
    for (place, queue) in world.server.history.state.queues where queue.member(on: device) != nil {
      for (id, state) in queue.objects {
        guard let live = state.live else { continue }
        let object = ShownObject(type: live.type, content: live.content, ShownObject.Origin(live.system))
        if object.namedQueue(id) ?? place == place { expected[id] = object }
      }
    }
    try listIsTheServer(Photo.self, device, store, expected)
    try listIsTheServer(Message.self, device, store, expected)
    try listIsTheServer(AlbumRoot.self, device, store, expected)
  }

  private func listIsTheServer<Object: Model>(
    _: Object.Type, _ device: Device, _ store: ModelStore, _ expected: [UUIDValue: ShownObject]
  ) throws {
    // A list with an object that nobody can read throws, on the device and here.
    let list = try readable { try store.objects(Object.self).map { ($0.id.rawValue, try $0.encoded()) } }
    let server = try readable {
      try expected.filter { $0.value.type == Object.modelName }.mapValues { $0.content }
        .map { ($0.key, try Object(id: ObjectID($0.key), blob: $0.value).encoded()) }
    }
    guard let found = list, let objects = server else { return }
    let shown = Dictionary(found) { first, _ in first }
    if found.count == objects.count, shown == Dictionary(uniqueKeysWithValues: objects) { return }
    let strange = objects.filter { shown[$0.0] != $0.1 }.map(\.0.short).sorted()
    report("diverged: \(device.name) shows \(found.count) of \(objects.count), \(Object.modelName): \(strange)")
  }
}

extension ShownObject.Origin {
  init(_ fields: SystemFields) {
    self.init(
      by: fields.createdBy, at: fields.createdAt.millisecondsSince1970,
      changedAt: fields.updatedAt.millisecondsSince1970)
  }
}

extension DeviceRows.Queue {
  /// Whether a create has no effect, because its author did not know of a delete that the device remembers.
  fileprivate func keepsDeleted(_ change: ObjectChange) -> Bool {
    guard case .create(_, _, let revival) = change.action, rows[change.object] == nil,
      let tombstone = tombstones[change.object], !revival.isReviving
    else { return false }
    guard let seen = revival.seen else { return true }
    return seen.history == history && seen.cursor < tombstone
  }
}
