// A user looks at the file of a photo, which is on the device or has to be fetched.

import ClientStore
import ClientSync
import Determinism
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension Device {
  func look(at file: FileReference, in queue: QueueID) {
    guard let life, life.fileTasks.running < 6 else { return }
    world.trace("\(name) looks at \(file.hash.description.prefix(8)) in \(queue.short)")
    let reading = FileReading(device: self, life: life, file: file, queue: queue)
    life.fileTasks.note(reading)
    RuntimeEnvironment.$current.withValue(life.environment) {
      let task = life.fileTasks.begin(life.process) { await reading.read() }
      if world.random.chance(20) {
        world.time.after(Int64(world.random.below(world.random.chance(50) ? 60 : 3_000))) { reading.cancel(task) }
      }
    }
  }

  func setNetwork(isExpensive: Bool) {
    guard let life else { return }
    life.process.executor.spawn { [client = life.client] in await client.setNetwork(isExpensive: isExpensive) }
  }
}

/// One look at a file. `@unchecked Sendable`: a world and everything in it runs on one thread.
final class FileReading: @unchecked Sendable {
  private let device: Device
  private let life: Device.Life
  private let file: FileReference
  private let queue: QueueID
  private var isCancelled = false
  private(set) var isDone = false

  init(device: Device, life: Device.Life, file: FileReference, queue: QueueID) {
    (self.device, self.life, self.file, self.queue) = (device, life, file, queue)
  }

  private var world: World { device.world }
  var place: FileKey { FileKey(queue: queue, hash: file.hash) }
  private var isAlive: Bool { !life.process.isOver && device.life?.process === life.process }

  func cancel(_ task: Task<Void, Never>) {
    guard !isDone else { return }
    isCancelled = true
    world.count("looks at files cancelled")
    task.cancel()
  }

  func read() async {
    let wasHere = device.hasBytes(of: file.hash)
    do {
      let local = try await life.store.files.read(file, in: queue)
      isDone = true
      guard isAlive else { return }
      world.count(wasHere ? "files read from the device" : "files fetched")
      try check(local)
      guard !world.isQuiet, world.random.chance(40) else { return }
      // The file is held for a while. Nothing that makes room may take it.
      let emptied = device.cachesEmptied
      try await life.environment.sleep(milliseconds: Int64(world.random.below(4_000)))
      guard isAlive, emptied == device.cachesEmptied, life.store.places[queue]?.load.isGone == false else { return }
      world.count("files held")
      try check(local)
    } catch {
      isDone = true
      if isAlive { judge(error) }
    }
  }

  private func check(_ local: LocalFile) throws {
    do {
      let bytes = try local.bytes()
      if bytes != world.files.bytes[file.hash] {
        world.oracles.report(
          "a file with wrong bytes is shown: \(words), of \(local.path.split(separator: "/").suffix(3))")
      }
    } catch  where world.isDiskFailing(of: device) || device.diskHasFailed {}
  }

  private var words: String { "\(file.hash.description.prefix(8)) on \(device.name)" }

  private func judge(_ error: any Error) {
    world.trace("a file is not read: \(error)")
    switch error {
    case is CancellationError where isCancelled || world.isQuiet: return
    case let error as FileError where error.code == .ended:
      world.count("files that go with their queue")
      let isThere =
        life.store.places[queue]?.load.isGone == false && device.closing == nil
        && !device.record.hasLeft(queue)
      if isThere, !device.hasEverEnded(queue) {
        world.oracles.report("a file cannot be read any more, and its queue is there: \(words)")
      }
    case is FileError, is StoreError:
      let isExcused = world.isDiskFailing(of: device) || device.diskHasFailed || device.closing != nil
      if !isExcused { world.oracles.report("a file cannot be read: \(words): \(error)") }
    default: world.oracles.report("a file cannot be read: \(words): \(error)")
    }
  }
}
