// People who share something make its queue themselves, each without knowing whether the others have done so.

import ClientStore
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension World {
  /// Lets somebody meet others; perhaps each of them does the same at this moment, perhaps without a connection.
  func meet() throws {
    guard let device = anyDevice(), device.app.number == SimulatedApp.albums.number else { return }
    var people: Set<UserID> = [device.user]
    let others = random.shuffled(users(of: device.app).filter { $0 != device.user })
    people.formUnion(others.prefix(random.chance(70) ? 1 : 2))
    let hands = devices.filter { other in
      people.contains(other.user) && other.app.number == device.app.number && other.isRunning
        && !isDiskFailing(of: other) && (other.name == device.name || random.chance(60))
    }
    fault(.meetings)
    let isOffline = random.chance(60)
    for hand in hands {
      if isOffline { hand.isOffline = true }
      try act(on: hand) { $0.meet(people) }
      if isOffline { time.after(Int64(random.below(random.chance(50) ? 200 : 20_000))) { hand.reconnect() } }
    }
    let makers = Set(hands.filter { $0.hasMade(Pair(of: SortedSet(people)).id.rawValue) }.map(\.user))
    if makers.count > 1 { count("a queue is found by \(makers.count)" + (isOffline ? " offline" : "")) }
  }

  /// Somebody whom no identity names, or another one, wants to make a queue, come in, or end it.
  func forgeMeeting() throws {
    let others = random.shuffled(users + [owner])
    let forger = others[0]
    let people = SortedSet(others[1...2] + (random.chance(20) ? [forger] : []))
    let queue = Pair(of: people).id.queueID
    var content = RecordWriter()
    // The content names those of the queue, or others, the forger too; or in a wrong order.
    var named = random.chance(50) ? Array(people) : random.shuffled(Array(people) + [forger])
    if random.chance(20) { named.reverse() }
    for person in named { content.uuid(Pair.peopleTag, person.rawValue) }
    let type = random.chance(90) ? Pair.modelName : random.pick([Badge.type, AlbumRoot.modelName])
    let creation = ObjectChange.Action.create(type: type, try PatchBuilder().patch(filling: content.bytes))
    let change = ObjectChange(queue.root, random.chance(15) ? .delete : creation)
    fault(.forgery)
    trace("\(forger.short) wants to come to \(queue.short)")
    try holdingFaults { try commit(OperationChanges(objects: [change]), to: queue, by: forger) }
    count("queues forged")
  }
}

extension SimulatedUser {
  /// Makes what the user shares with somebody, and sometimes takes the others in.
  func meet() {
    let others = world.users(of: device.app).filter { $0 != device.user }
    guard device.app.number == SimulatedApp.albums.number, !others.isEmpty else { return edit() }
    meet([device.user, world.random.pick(others)])
  }

  /// The same, of people who are known.
  func meet(_ people: Set<UserID>) {
    let root = Pair(of: SortedSet(people))
    let id = world.randomID(in: root.id.queueID)
    let index = world.index(of: people, root.id.queueID, app: device.app.number)
    world.albums[index].photos.append(id)
    var screen = screen
    (screen.album, screen.albumIndex) = (world.albums[index], index)
    let user = Self(world: world, device: device, screen: screen)
    // An app that is older than the model cannot.
    guard user.create(id, file: false, root: root) else { return }
    world.count(world.albums[index].makers.isEmpty ? "a new pair" : "a pair is made again")
    world.albums[index].makers.insert(device.name)
    if world.random.chance(35) {
      let others = people.subtracting([device.user]).sorted()
      let roles = others.map { _ in world.random.pick([QueueRole.owner, .writer, .reader]) }
      user.perform([]) { context in
        for (other, role) in zip(others, roles) {
          try context.follow(other, as: role, inQueueOf: ObjectID<Photo>(id))
        }
      }
    }
    if world.random.chance(30) { user.create() }
  }
}

extension Device {
  /// Whether an operation that waits makes the root of a queue.
  fileprivate func hasMade(_ root: UUIDValue) -> Bool {
    store?.pendingOperations.contains { $0.changes.objects.contains { $0.object == root } } ?? false
  }
}

extension World {
  /// The album that people share, among the world's albums.
  fileprivate func index(of people: Set<UserID>, _ queue: QueueID, app: Int) -> Int {
    if let index = albums.firstIndex(where: { $0.queue == queue }) { return index }
    albums.append(Album(queue: queue, app: app, photos: [], people: people))
    return albums.count - 1
  }
}
