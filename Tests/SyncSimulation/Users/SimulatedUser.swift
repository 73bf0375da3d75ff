// One user in front of one screen, about to do something.

import ClientStore
import ModelTypes
import TestSupport
import WireFormat

struct SimulatedUser {
  let world: World
  let device: Device
  let screen: Screen

  private var queue: QueueID { QueueID(screen.album.queue) }

  /// The name of an operation stands in the captions that it sets, so that the oracles know whose they are.
  private func name(_ number: Int) -> String { "\(device.name).\(number)" }

  func create() {
    let shared = screen.albumIndex == 0 && world.random.chance(50)
    let id = shared ? world.random.pick(Array(screen.album.photos.prefix(3))) : world.randomID()
    if !shared { world.albums[screen.albumIndex].photos.append(id) }
    create(id, file: world.has(.files) && world.random.chance(40))
  }

  private func create(_ id: UUIDValue, file hasFile: Bool, follow: [UUIDValue] = []) {
    var photo = Photo(zeroWithID: ObjectID(id))
    photo.album = queue
    photo.owner = device.name
    if world.random.chance(40) { photo.tags = ["t\(world.random.below(3))"] }
    var upsert = PatchBuilder()
    if world.random.chance(40) { upsert.insert(Photo.tagsTag, "u\(world.random.below(3))") }
    let file = hasFile ? FileReference(hash: .of(id), size: 1, mime: "image/jpeg", name: "") : nil
    let operation = perform(nil, [.init(object: id, kind: .create)]) { [photo, upsert] context in
      try context.upsert(photo, upsert)
      if let file { context.requireUploaded(file) }
      for user in follow { try context.follow(UserID(user), inQueueOf: photo.id) }
    }
    guard operation != nil, let file, world.random.chance(50) else { return }
    // It is on the server before the operation is.
    world.server.history.addFiles([file.hash], in: queue.rawValue)
    device.noteUploaded([file.hash], in: queue)
  }

  func delete() {
    guard let photo = anyPhoto() else { return create() }
    perform(nil, [.init(object: photo.rawValue, kind: .delete)]) { try $0.delete(photo) }
  }

  func edit() {
    guard let photo = anyPhoto() else { return create() }
    edit([photo])
  }

  func editTwo() {
    guard screen.photos.count > 1 else { return edit() }
    edit(Array(world.random.shuffled(screen.photos).prefix(2)))
  }

  private func edit(_ photos: [ObjectID<Photo>]) {
    let number = device.record.takeNumber()
    let patches = photos.map { ($0, randomPatch(name(number))) }
    perform(number, patches.map { .init(object: $0.rawValue, kind: .patch, caption: $1.caption) }) { context in
      for (photo, patch) in patches { try context.edit(photo, patch.builder) }
    }
  }

  /// Many operations at once, saved together.
  func editMany() {
    guard !screen.photos.isEmpty else { return create() }
    let batch = (0..<3 + world.random.below(10)).map { _ in
      let number = device.record.takeNumber()
      let photo = world.random.pick(screen.photos)
      let patch = randomPatch(name(number))
      let edit = Performed.Edit(object: photo.rawValue, kind: .patch, caption: patch.caption)
      return PlannedAction(number: number, edits: [edit]) { try $0.edit(photo, patch.builder) }
    }
    world.perform(batch, in: queue, on: device)
  }

  /// Tells of a photo in the inbox; what made the photo has to be there first.
  func tell() {
    guard let photo = anyPhoto() else { return create() }
    var message = Message(zeroWithID: ObjectID(world.randomID()))
    message.inbox = QueueID(world.inbox)
    message.author = device.name
    message.photo = photo
    let makers = device.store?.outbox.map(\.id).filter { id in
      world.operations[id]?.edits.contains { $0.object == photo.rawValue && $0.kind == .create } == true
    }
    let edits = [Performed.Edit(object: message.id.rawValue, kind: .create)]
    let number = device.record.takeNumber()
    let action = PlannedAction(number: number, edits: edits, after: makers ?? [], photo: photo.rawValue) { [message] in
      try $0.create(message)
    }
    world.perform([action], in: message.inbox, on: device)
  }

  /// Only if nobody else has changed it meanwhile.
  func editUnchanged() {
    guard let photo = anyPhoto() else { return create() }
    let number = device.record.takeNumber()
    var patch = PatchBuilder()
    patch.set(Photo.captionTag, name(number))
    let edit = Performed.Edit(object: photo.rawValue, kind: .patch, caption: name(number))
    let action = PlannedAction(number: number, edits: [edit], isConditional: true) { [patch] context in
      try context.edit(photo, patch)
      try context.requireUnchanged(photo)
    }
    world.perform([action], in: queue, on: device)
  }

  /// What the server will refuse.
  func doForbidden() {
    world.fault(.invalid)
    if let photo = anyPhoto(), world.random.chance(50) {
      // An object of another type is there.
      var message = Message(zeroWithID: ObjectID(photo.rawValue))
      message.inbox = queue
      perform(nil, [.init(object: photo.rawValue, kind: .create)]) { [message] in try $0.create(message) }
    } else {
      var object = Forbidden(zeroWithID: ObjectID(world.randomID()))
      object.queue = queue
      perform(nil, [.init(object: object.id.rawValue, kind: .create)]) { [object] in try $0.create(object) }
    }
  }

  /// A queue is born with its first object, and others are taken in at once.
  func makeAlbum() {
    world.fault(.queues, "a new album")
    let id = world.randomID()
    world.albums.append(.init(queue: world.randomID(), creator: device.user, photos: [id]))
    var screen = screen
    screen.albumIndex = world.albums.count - 1
    screen.album = world.albums[screen.albumIndex]
    let others = world.users.filter { $0 != device.user && world.random.chance(60) }
    Self(world: world, device: device, screen: screen).create(id, file: false, follow: others)
  }

  func changeFollowers() {
    guard screen.albumIndex > 0, let photo = anyPhoto() else { return edit() }
    let user = world.random.pick(world.users)
    let follows = world.random.chance(50)
    world.count(follows ? "follow" : "unfollow")
    perform(nil, []) { context in
      if follows {
        try context.follow(UserID(user), inQueueOf: photo)
      } else {
        try context.unfollow(UserID(user), inQueueOf: photo)
      }
    }
  }

  private func anyPhoto() -> ObjectID<Photo>? {
    screen.photos.isEmpty ? nil : world.random.pick(screen.photos)
  }

  @discardableResult
  private func perform(
    _ number: Int? = nil, _ edits: [Performed.Edit],
    _ body: @escaping (inout OperationContext) throws -> Void
  ) -> UUIDValue? {
    let number = number ?? device.record.takeNumber()
    return world.perform([PlannedAction(number: number, edits: edits, body: body)], in: queue, on: device).first
  }

  private func randomPatch(_ name: String) -> (builder: PatchBuilder, caption: String?) {
    var patch = PatchBuilder()
    let tag = "t\(world.random.below(4))"
    switch world.random.below(100) {
    case 0..<35:
      patch.set(Photo.captionTag, name)
      return (patch, name)
    case 35..<45: patch.clear(Photo.captionTag)
    case 45..<60: patch.insert(Photo.tagsTag, tag)
    case 60..<70: patch.remove(Photo.tagsTag, tag)
    default: patch.increment(Photo.likesTag, by: 1)
    }
    return (patch, nil)
  }
}
