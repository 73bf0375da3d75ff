// A world in which a test says what happens: real stores, clients and server, virtual time, and no fault by chance.

import ClientStore
import Determinism
import ModelTypes
import SyncProtocol
import WireFormat

@testable import SyncSimulation

/// Two devices of two users, unless a test says otherwise. Everything that an oracle has to say is thrown.
final class Scenario {
  let world: World
  /// The three photos that everybody knows of.
  let photo = ObjectID<Photo>(UUIDValue(high: 0x9, low: 1))

  var a: Device { world.devices[0] }
  var b: Device { world.devices[1] }

  init(sameUser: Bool = false, pageObjects: Int = 10_000) throws {
    var plan = Plan(seed: 1, steps: 0, without: Set(Fault.allCases))
    plan.deviceCount = 2
    plan.users = sameUser ? [0, 0] : [0, 1]
    plan.pageObjects = pageObjects
    world = World(plan, isTraced: true)
    try world.begin()
    try pass(seconds: 5)
  }

  deinit { world.close() }

  func pass(seconds: Double) throws { try world.pass(Int64(seconds * 1000)) }

  /// Everything drains, all devices have what the server has, and every promise was kept.
  func comeToRest() throws {
    world.network.script = nil
    try world.becomeQuiet()
    world.oracles.checkEnd()
    if let violation = world.oracles.violation { throw violation }
  }

  // What users do.

  @discardableResult
  func create(_ id: ObjectID<Photo>? = nil, on device: Device, file: Bool = false) throws -> UUIDValue {
    var photo = Photo(zeroWithID: id ?? self.photo)
    photo.album = QueueID(world.photos)
    photo.owner = device.name
    let reference = FileReference(hash: .of(photo.id.rawValue), size: 1, mime: "image/jpeg", name: "")
    return try perform(photo.id, .create, on: device) { [photo] context in
      try context.create(photo)
      if file { context.requireUploaded(reference) }
    }
  }

  @discardableResult
  func caption(_ text: String, of id: ObjectID<Photo>? = nil, on device: Device) throws -> UUIDValue {
    var patch = PatchBuilder()
    patch.set(Photo.captionTag, text)
    return try perform(id ?? photo, .patch, on: device) { [id = id ?? photo] in try $0.edit(id, patch) }
  }

  @discardableResult
  func like(_ id: ObjectID<Photo>? = nil, on device: Device) throws -> UUIDValue {
    var patch = PatchBuilder()
    patch.increment(Photo.likesTag, by: 1)
    return try perform(id ?? photo, .patch, on: device) { [id = id ?? photo] in try $0.edit(id, patch) }
  }

  @discardableResult
  func delete(_ id: ObjectID<Photo>? = nil, on device: Device) throws -> UUIDValue {
    try perform(id ?? photo, .delete, on: device) { [id = id ?? photo] in try $0.delete(id) }
  }

  private func perform(
    _ id: ObjectID<Photo>, _ kind: Performed.Kind, on device: Device,
    _ body: @escaping (inout OperationContext) throws -> Void
  ) throws -> UUIDValue {
    let action = PlannedAction(
      number: device.record.takeNumber(), edits: [.init(object: id.rawValue, kind: kind)], body: body)
    guard let life = device.life else { throw Violation("\(device.name) does not run") }
    let ids = RuntimeEnvironment.$current.withValue(life.environment) {
      world.perform([action], in: QueueID(world.photos), on: device)
    }
    guard let operation = ids.first else { throw Violation("the store refused it") }
    return operation
  }

  // What they see.

  func shown(_ id: ObjectID<Photo>? = nil, on device: Device) throws -> Photo? {
    try device.store?.object(id ?? photo)
  }

  func outcome(of operation: UUIDValue) -> OperationOutcome.Status? {
    world.server.history.state.queues[world.photos]?.outcomes[operation]?.status
  }

  func isPending(_ operation: UUIDValue, on device: Device) -> Bool {
    device.store?.outbox.contains { $0.id == operation } ?? false
  }

  func reason(of operation: UUIDValue, on device: Device) -> StoreError.Code? {
    device.store?.attention.first { $0.id == operation }?.reason.code
  }
}
