// The actions of a user with files: adds them, changes those of photos, and looks at those of others.

import ClientStore
import Determinism
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension SimulatedUser {
  /// Adds the file of a photo, and calls `body` with it once the store has it.
  func withFile(of photo: UUIDValue, _ body: @escaping (FileReference) -> Void) {
    let (hash, content) = world.files.file(of: photo)
    add(hash, content, name: photo.short, body)
  }

  /// Takes a photo with bytes that somebody else has as well.
  func takePhoto(with hash: ContentHash) {
    guard let content = world.files.bytes[hash] else { return }
    let id = world.randomID(in: screen.album.queue)
    world.albums[screen.albumIndex].photos.append(id)
    add(hash, content, name: id.short) { create(id, $0) }
  }

  /// Gives a photo another file: a new one, one of another photo, or none.
  func editFile() {
    guard let photo = anyPhoto() else { return create() }
    switch world.random.below(100) {
    case 0..<60: withFile(of: world.randomID()) { set($0, of: photo) }
    case 60..<90:
      guard let other = photosWithFiles().randomElement(using: &world.random)?.1 else { return edit() }
      set(other, of: photo)
    default: set(nil, of: photo)
    }
  }

  private func set(_ file: FileReference?, of photo: ObjectID<Photo>) {
    var patch = PatchBuilder()
    if let file { patch.set(Photo.fileTag, file) } else { patch.clear(Photo.fileTag) }
    world.count("files of photos changed")
    // A file that is not here may be nowhere, so nothing is made to wait for it.
    let isRequired = file.map { device.hasBytes(of: $0.hash) } ?? false && world.random.chance(30)
    let edit = Performed.Edit(object: photo.rawValue, kind: .patch)
    perform([edit], file: file, isRequired: isRequired) { [patch] context in
      try context.edit(photo, patch)
      if isRequired, let file { context.requireUploaded(file) }
    }
  }

  func photosWithFiles() -> [(ObjectID<Photo>, FileReference)] {
    screen.photos.compactMap { id in ((try? device.store?.object(id)) ?? nil)?.file.map { (id, $0) } }
  }

  /// Looks at one of the files on the screen, mostly at one that has to be fetched.
  func look() {
    let files = photosWithFiles().map(\.1)
    let absent = files.filter { !device.hasBytes(of: $0.hash) }
    let isAbsent = world.random.chance(70) && !absent.isEmpty
    guard let file = (isAbsent ? absent : files).randomElement(using: &world.random) else { return edit() }
    device.look(at: file, in: queue)
  }
}

// Adding.
extension SimulatedUser {
  private func add(_ hash: ContentHash, _ content: [UInt8], name: String, _ body: @escaping (FileReference) -> Void) {
    guard let life = device.life else { return }
    let errand = FileErrand(device: device, life: life, hash: hash)
    let source = errand.source(content, name)
    world.trace("\(device.name) adds the file \(hash.description.prefix(8))")
    let goOn = OnThisThread(body)
    RuntimeEnvironment.$current.withValue(life.environment) {
      let task = life.fileTasks.begin(life.process) {
        guard let file = await errand.add(source, "\(name).jpg") else { return }
        goOn.call(file)
      }
      errand.maybeCancel(task)
    }
  }
}

/// The errand of adding one file. `@unchecked Sendable`: a world and everything in it runs on one thread.
final class FileErrand: @unchecked Sendable {
  private let device: Device
  private let life: Device.Life
  private let hash: ContentHash
  private var isSabotaged = false
  private var isCancelled = false

  init(device: Device, life: Device.Life, hash: ContentHash) {
    (self.device, self.life, self.hash) = (device, life, hash)
  }

  private var world: World { device.world }

  /// Draws a source: bytes, a file of the user, or pieces that come by and by.
  func source(_ content: [UInt8], _ name: String) -> FileSource {
    switch world.random.below(3) {
    case 0: return .bytes(content)
    case 1:
      let path = "/photos/\(device.name)-\(world.random.next())"
      device.files.put(content, at: path, SimulatedProcess.start + world.time.now)
      if world.has(.uploads), world.random.chance(25) { spoil(path, content) }
      return .path(path)
    default: return .pieces(pieces(of: content))
    }
  }

  /// Lets somebody change or delete the source, perhaps while it is copied.
  private func spoil(_ path: String, _ content: [UInt8]) {
    let isDeleted = world.random.chance(50)
    life.process.executor.spawn { [self] in
      guard !life.process.isOver else { return }
      isSabotaged = true
      world.fault(.uploads, isDeleted ? "a source is deleted" : "a source is changed")
      device.files.takeAway(path)
      if !isDeleted { world.files.note(content + [1]) }
      if !isDeleted { device.files.put(content + [1], at: path, SimulatedProcess.start + world.time.now + 1) }
    }
  }

  private func pieces(of content: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    var rest = content[...]
    var delay: Int64 = 0
    while !rest.isEmpty {
      let piece = Array(rest.prefix(1 + world.random.below(40)))
      rest = rest.dropFirst(piece.count)
      delay += Int64(world.random.below(30))
      world.time.after(delay) { continuation.yield(piece) }
    }
    let breaks = world.has(.uploads) && world.random.chance(5)
    world.time.after(delay) { [self] in
      if breaks {
        isSabotaged = true
        world.fault(.uploads, "a source breaks off")
        continuation.finish(throwing: SimulatedNetwork.Broken())
      } else {
        continuation.finish()
      }
    }
    return stream
  }

  func maybeCancel(_ task: Task<Void, Never>) {
    guard world.has(.uploads), world.random.chance(6) else { return }
    world.time.after(Int64(world.random.below(40))) { [self] in
      isCancelled = true
      task.cancel()
    }
  }

  /// Adds the file to the store; nil if nothing came of it.
  func add(_ source: FileSource, _ name: String) async -> FileReference? {
    do {
      let file = try await life.store.files.add(from: source, name: name)
      guard isAlive else { return nil }
      guard file.hash == hash else {
        if isSabotaged { return nil }
        world.oracles.report("a file is added as another one: \(hash.description.prefix(8)) on \(device.name)")
        return nil
      }
      world.count("files added")
      return file
    } catch {
      if isAlive { judge(error) }
      return nil
    }
  }

  private var isAlive: Bool { !life.process.isOver && device.life?.process === life.process }

  private var hasDiskFailed: Bool { world.isDiskFailing(of: device) || device.diskHasFailed }

  private func judge(_ error: any Error) {
    world.trace("a file is not added: \(error)")
    switch (error as? FileError)?.code {
    case .source where isSabotaged || isCancelled || hasDiskFailed: world.count("files whose source fails")
    case .disk where hasDiskFailed: world.count("files without room")
    case .ended where device.closing != nil: break
    default: world.oracles.report("a file cannot be added without need: \(error) on \(device.name)")
    }
  }
}
