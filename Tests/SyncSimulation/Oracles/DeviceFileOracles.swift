// Oracles of the folders of files on devices, and of what devices bring to the server.

import ClientStore
import ClientSync
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// Reports a file whose bytes are not those of the hash in its name, such as a part of the file. Asked after each
  /// step, and after each crash of an app.
  func filesAreRight(on device: Device) {
    guard device.filesLooked != device.files.changeCount else { return }
    device.filesLooked = device.files.changeCount
    for (path, inode) in device.files.live.files {
      guard path.hasPrefix("files/"), let hash = ContentHash(String(path.split(separator: "/").last ?? "")) else {
        continue
      }
      if inode.bytes != world.files.bytes[hash] {
        report("a file with other bytes than its name says: \(path.prefix(40)) on \(device.name)")
      }
    }
  }

  /// Reports a transfer that no call of sync asked for, and an upload of a file that no operation of this device names.
  func mayAsk(_ device: Device, _ request: FileRequest) {
    if device.once?.isRequestUncalledFor == true { report("\(device.name) moves files, and nobody has asked") }
    if case .range = request.call { return }
    if case .state = request.call { world.count("uploads") }
    let place = request.file
    let isNamed = device.record.performed.contains { id in
      world.operations[id].map { $0.queue == place.queue && $0.named?.hash == place.hash } ?? false
    }
    if !isNamed {
      report("\(device.name) brings \(place.hash.description.prefix(8)), which none of its operations names")
    }
  }

  /// Whether these are the bytes of a file in a range.
  func areBytes(_ bytes: [UInt8], of place: FileKey, in range: Range<Int64>) -> Bool {
    let expected = world.files.bytes[place.hash]?.dropFirst(Int(range.lowerBound)).prefix(range.count)
    return expected?.elementsEqual(bytes) ?? false
  }
}

// At the end.
extension World {
  /// Every file that live photos name on the server, with those photos.
  private var namedFiles: [FileKey: Set<UUIDValue>] {
    var places: [FileKey: Set<UUIDValue>] = [:]
    for (id, queue) in server.history.state.queues {
      for (object, state) in queue.objects {
        guard let live = state.live, live.type == Photo.modelName,
          let photo = try? Photo(id: ObjectID(object), blob: live.content), let hash = photo.file?.hash
        else { continue }
        places[FileKey(queue: id, hash: hash), default: []].insert(object)
      }
    }
    return places
  }

  /// Describes what a device still has to bring or get; nil if nothing. What cannot go does not count: uploads of
  /// readers, and of files that neither device nor server has.
  func unrestOfFiles(_ device: Device) -> String? {
    guard let life = device.life, let uploads = try? life.rows.readUploads() else { return nil }
    for place in uploads where server.history.isMember(device.user, of: place.queue) {
      let isReader = server.history.state.queues[place.queue]?.members[device.user]?.role == .reader
      if isReader || !device.hasBytes(of: place.hash) && !server.has(place) { continue }
      return "\(device.name) does not bring \(place.words): \(life.store.files.progress)"
    }
    for reading in life.fileTasks.readings where server.has(reading.place) {
      guard server.history.isMember(device.user, of: reading.place.queue) else { continue }
      return "\(device.name) does not get \(reading.place.words): \(life.store.files.progress)"
    }
    let progress = life.store.files.progress
    if progress.uploads != uploads.count { return "\(device.name) has \(uploads.count) uploads and says \(progress)" }
    return nil
  }

  /// Reports a file that a device had to bring and the server lacks. Reads every other file on every member's device.
  func readFiles() throws {
    for device in devices { device.life?.fileTasks.end() }
    var readable: [FileKey] = []
    for (place, objects) in namedFiles.sorted(by: { $0.key < $1.key }) {
      if server.has(place) {
        readable.append(place)
      } else if notBroughtAgain.contains(place) {
        count("files that nobody brings again")
      } else if let device = devices.first(where: { $0.hadToBring(place, objects) }) {
        oracles.report("a file was not brought: \(place.words) by \(device.name)")
      } else {
        count("files that nobody had to bring")
      }
    }
    for device in devices {
      for place in readable where server.history.state.queues[place.queue]?.member(on: device) != nil {
        try read(place, on: device)
      }
      if let progress = device.store?.files.progress, progress.downloads > 0 || progress.downloadBytes != 0 {
        oracles.report("\(device.name) still fetches: \(progress)")
      }
    }
  }

  private func read(_ place: FileKey, on device: Device) throws {
    guard let life = device.life, let bytes = files.bytes[place.hash] else { return }
    let file = FileReference(hash: place.hash, size: Int64(bytes.count), mime: "image/jpeg", name: "")
    let reading = FileReading(device: device, life: life, file: file, queue: place.queue)
    life.fileTasks.begin(life.process) { await reading.read() }
    let begin = time.now
    while !reading.isDone, time.now - begin < 10 * 60_000 { try pass(reading.isDone ? 0 : 200) }
    count("files read on devices at the end")
    if !reading.isDone { oracles.report("a file does not come: \(place.words) to \(device.name)") }
  }
}

extension Device {
  /// Whether the device may have let go of a file that the server had.
  private func isReleased(from place: FileKey) -> Bool {
    // With a membership a device forgets which files the server has had, so a later loss may take them. The server
    // collects unnamed files by its clock, and the device lets go of files by the same clock.
    world.everThere.contains(place) && (record.hasLeft(place.queue) || world.serverClockWasSet)
  }

  /// Whether the device has to bring a file that the server lacks: its user may bring files, and it had the bytes when
  /// it performed an operation that names the file and that the server has.
  fileprivate func hadToBring(_ place: FileKey, _ objects: Set<UUIDValue>) -> Bool {
    guard let role = world.server.history.state.queues[place.queue]?.members[user]?.role, role != .reader else {
      return false
    }
    if isReleased(from: place) { return false }
    return record.performed.contains { id in
      // A damaged operation is reported, and nobody knows what became of it. Files of a device without the queue stay
      // for 7 days.
      if record.damaged.contains(id) || record.withoutFiles.contains(id) { return false }
      guard let operation = world.operations[id], operation.queue == place.queue, let file = operation.named,
        file.hash == place.hash, file.isHere,
        operation.edits.contains(where: { objects.contains($0.object) && !world.isBackByLoss($0.object) })
      else { return false }
      return world.server.history.applied(to: operation.edits[0].object, in: place.queue).contains {
        $0.operation == id
      }
    }
  }
}

extension World {
  /// Whether the server has lost a delete of the object. Devices may have given up its file with it.
  fileprivate func isBackByLoss(_ object: UUIDValue) -> Bool {
    operations.ids.contains { id in
      guard let operation = operations[id], server.history.wasDone(id),
        operation.edits.contains(where: { $0.object == object && $0.kind == .delete })
      else { return false }
      return !server.history.applied(to: object, in: operation.queue).contains { $0.operation == id }
    }
  }
}

extension FileKey {
  /// For traces, and for reports of oracles.
  var words: String { "\(hash.description.prefix(8)) of \(queue.short)" }
}
