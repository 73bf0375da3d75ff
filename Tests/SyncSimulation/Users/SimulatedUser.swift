// One user in front of one screen, about to do something.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

struct SimulatedUser {
  let world: World
  let device: Device
  let screen: Screen

  var queue: QueueID { screen.album.queue }

  /// The name of an operation. It is also the caption that the operation sets, so that the oracles know whose caption
  /// they see.
  private func name(_ number: Int) -> String { "\(device.name).\(number)" }

  func create() {
    let shared = screen.album.isCommon && world.random.chance(50)
    let id = shared ? world.random.pick(Array(screen.album.photos.prefix(3))) : world.randomID(in: screen.album.queue)
    if !shared { world.albums[screen.albumIndex].photos.append(id) }
    create(id, file: world.has(.files) && world.random.chance(40))
  }

  /// Creates a photo, whose file is added first.
  func takePhoto() {
    let id = world.randomID(in: screen.album.queue)
    world.albums[screen.albumIndex].photos.append(id)
    create(id, file: true)
  }

  /// Returns whether the store took the photo, or its file is being added.
  @discardableResult
  func create(_ id: UUIDValue, file hasFile: Bool, root: (any QueueModel)? = nil) -> Bool {
    guard hasFile else { return create(id, nil, root) }
    withFile(of: id) { create(id, $0) }
    return true
  }

  @discardableResult
  func create(_ id: UUIDValue, _ file: FileReference?, _ root: (any QueueModel)? = nil) -> Bool {
    var photo = Photo(zeroWithID: ObjectID(id))
    photo.album = queue
    photo.owner = device.name
    photo.file = file
    // Only owners may set this. Anybody else's create is forbidden, or leaves it out if the photo is already there.
    if world.has(.invalid), world.random.chance(6) { photo.isPinned = true }
    if world.random.chance(40) { photo.tags = ["t\(world.random.below(3))"] }
    var upsert = PatchBuilder()
    if world.random.chance(40) { upsert.insert(Photo.tagsTag, "u\(world.random.below(3))") }
    if world.plan.pageBytes < Plan.usualPageBytes, world.random.chance(20) {
      upsert.insert(Photo.tagsTag, String(repeating: "large", count: 20 + world.random.below(150)))
    }
    let isRequired = file != nil && world.random.chance(50)
    let roots = root == nil ? [] : [Performed.Edit(object: queue.root, kind: .create)]
    let edits = roots + [Performed.Edit(object: id, kind: .create)]
    let operation = perform(edits, file: file, isRequired: isRequired) { [photo, upsert] context in
      if let root { try context.create(root) }
      try context.upsert(photo, upsert)
      if isRequired, let file { context.requireUploaded(file) }
    }
    return operation != nil
  }

  func delete() {
    guard let photo = anyPhoto() else { return create() }
    perform([.init(object: photo.rawValue, kind: .delete)]) { try $0.delete(photo) }
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
    perform(patches.map { .init(object: $0.rawValue, kind: .patch, caption: $1.caption) }, number: number) { context in
      for (photo, patch) in patches { try context.edit(photo, patch.builder) }
    }
  }

  /// Edits photos by many operations at once, which are saved together.
  func editMany() { editMany(3 + world.random.below(10)) }

  func editMany(_ number: Int) {
    guard !screen.photos.isEmpty else { return create() }
    let batch = (0..<number).map { _ in
      let number = device.record.takeNumber()
      let photo = world.random.pick(screen.photos)
      let patch = randomPatch(name(number))
      let edit = Performed.Edit(object: photo.rawValue, kind: .patch, caption: patch.caption)
      return PlannedAction(number: number, edits: [edit]) { try $0.edit(photo, patch.builder) }
    }
    world.perform(batch, in: queue, on: device)
  }

  /// Tells of a photo in the inbox. The message depends on the operations that make the photo.
  func tell() {
    guard let photo = anyPhoto() else { return create() }
    tell(of: photo)
  }

  /// Tells of a photo that the server does not have yet.
  func tellOfNew() {
    let id = world.randomID(in: screen.album.queue)
    world.albums[screen.albumIndex].photos.append(id)
    if create(id, file: false) { tell(of: ObjectID(id)) }
  }

  private func tell(of photo: ObjectID<Photo>) {
    var message = Message(zeroWithID: ObjectID(world.randomID(in: device.app.inbox)))
    message.inbox = device.app.inbox
    message.author = device.name
    message.sender = device.user
    message.photo = photo
    let makers = device.store?.pendingOperations.map(\.id).filter { id in
      world.operations[id]?.edits.contains { $0.object == photo.rawValue && $0.kind == .create } == true
    }
    world.messages.append(message.id.rawValue)
    let action = PlannedAction(
      number: device.record.takeNumber(), edits: [.init(object: message.id.rawValue, kind: .create)],
      after: makers ?? [], photo: photo.rawValue
    ) { [message] in try $0.create(message) }
    world.perform([action], in: message.inbox, on: device)
  }

  /// Edits a photo, on condition that nobody else has changed it meanwhile.
  func editUnchanged() {
    guard let photo = anyPhoto() else { return create() }
    let number = device.record.takeNumber()
    var patch = PatchBuilder()
    patch.setCaption(name(number), on: device)
    let edit = Performed.Edit(object: photo.rawValue, kind: .patch, caption: name(number))
    perform([edit], number: number, isConditional: true) { [patch] context in
      try context.edit(photo, patch)
      try context.requireUnchanged(photo)
    }
  }

  /// Does something that only owners may do.
  func pin() {
    guard let photo = anyPhoto() else { return create() }
    var patch = PatchBuilder()
    patch.set(Photo.pinnedTag, true)
    perform([.init(object: photo.rawValue, kind: .patch)], needs: "pin") { [patch] in
      try $0.edit(photo, patch)
    }
  }

  /// Deletes a message, which only its author may do.
  func takeBack() {
    let known = world.messages.suffix(6).map { ObjectID<Message>($0) }
    guard let message = known.first(where: { (try? device.store?.object($0)) != nil }) else { return tell() }
    let edit = Performed.Edit(object: message.rawValue, kind: .delete)
    perform([edit], in: device.app.inbox, needs: "take back") { try $0.delete(message) }
  }

  /// Does something that the server will refuse.
  func doForbidden() {
    world.fault(.invalid)
    if let photo = anyPhoto(), world.random.chance(50) {
      // An object of another type is there.
      var message = Message(zeroWithID: ObjectID(photo.rawValue))
      message.inbox = queue
      perform([.init(object: photo.rawValue, kind: .create)]) { [message] in try $0.create(message) }
    } else {
      var object = Forbidden(zeroWithID: ObjectID(world.randomID(in: screen.album.queue)))
      object.queue = queue
      perform([.init(object: object.id.rawValue, kind: .create)]) { [object] in try $0.create(object) }
    }
  }

  /// Makes a queue with its first object, and takes others in after that.
  func makeAlbum() {
    world.fault(.queues, "a new album")
    let queue = world.randomQueue()
    let id = world.randomID(in: queue)
    world.albums.append(.init(queue: queue, app: device.app.number, makers: [device.name], photos: [id]))
    var screen = screen
    screen.albumIndex = world.albums.count - 1
    screen.album = world.albums[screen.albumIndex]
    let others = world.users.filter { $0 != device.user && world.random.chance(40) }
    let root = AlbumRoot(zeroWithID: ObjectID(screen.album.queue.root))
    let user = Self(world: world, device: device, screen: screen)
    guard user.create(id, file: false, root: root), !others.isEmpty else { return }
    world.count("others taken into a new album", others.count)
    let roles = others.map { _ in world.random.chance(20) ? QueueRole.owner : .writer }
    user.perform([]) { context in
      for (other, role) in zip(others, roles) {
        try context.follow(other, as: role, inQueueOf: ObjectID<Photo>(id))
      }
    }
  }

  /// Ends one of the albums that are shown.
  func endAlbum() {
    let shown = world.albums.filter { !$0.isCommon }.map { ObjectID<AlbumRoot>($0.queue.root) }.filter {
      (try? device.store?.object($0)) != nil
    }
    guard !shown.isEmpty else { return edit() }
    end(world.random.pick(shown))
  }

  func changeFollowers() {
    guard !screen.album.isCommon, let photo = anyPhoto() else { return edit() }
    let user = world.random.pick(world.users)
    let follows = world.random.chance(50)
    world.count(follows ? "follow" : "unfollow")
    perform([]) { context in
      if follows {
        try context.follow(user, inQueueOf: photo)
      } else {
        try context.unfollow(user, inQueueOf: photo)
      }
    }
  }

  func anyPhoto() -> ObjectID<Photo>? {
    screen.photos.isEmpty ? nil : world.random.pick(screen.photos)
  }

  /// Performs one operation: in the album, unless another queue is named. Returns its id; nil if the store refuses it.
  @discardableResult
  func perform(
    _ edits: [Performed.Edit], number: Int? = nil, in queue: QueueID? = nil, needs: String? = nil,
    isConditional: Bool = false, file: FileReference? = nil, isRequired: Bool = false,
    _ body: @escaping (inout OperationContext) throws -> Void
  ) -> OperationID? {
    let action = PlannedAction(
      number: number ?? device.record.takeNumber(), edits: edits, isConditional: isConditional, needs: needs,
      file: isRequired ? file?.hash : nil, named: file?.hash, body: body)
    return world.perform([action], in: queue ?? self.queue, on: device).first
  }

  private func randomPatch(_ name: String) -> (builder: PatchBuilder, caption: String?) {
    var patch = PatchBuilder()
    let tag = "t\(world.random.below(4))"
    switch world.random.below(100) {
    case 0..<35:
      patch.setCaption(name, on: device)
      return (patch, name)
    case 35..<45: patch.setCaption(nil, on: device)
    case 45..<60: patch.insert(Photo.tagsTag, tag)
    case 60..<70: patch.remove(Photo.tagsTag, tag)
    case 70..<80:
      patch.raise(Photo.highestTag, Int64(world.random.below(1_000)) - 500)
      patch.lower(Photo.lowestTag, Double(world.random.below(1_000)) / 8 - 60)
    default: patch.increment(Photo.likesTag, by: 1)
    }
    return (patch, nil)
  }
}
