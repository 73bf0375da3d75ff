// The files that users have, and when devices bring them.

import ClientStore
import Crypto
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// The files of all photos: each has its own, the same whoever brings it.
struct PhotoFiles {
  private(set) var bytes: [ContentHash: [UInt8]] = [:]

  /// Of some photos there is nothing in the file.
  mutating func file(of photo: UUIDValue) -> (hash: ContentHash, size: Int64) {
    var random = SeededRandom(seed: photo.high ^ photo.low &* 3)
    let size = random.chance(5) ? 0 : 1 + random.below(90)
    let content = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let hash = ContentHash(bytes: Array(SHA256.hash(data: content))) ?? .zero
    bytes[hash] = content
    return (hash, Int64(content.count))
  }
}

extension World {
  /// Devices bring the files that their operations need.
  func uploadFiles() {
    for device in devices where device.closing == nil {
      guard let life = device.life else { continue }
      for item in life.store.outbox where !item.changes.files.isEmpty {
        guard let queue = item.queue, isQuiet || random.chance(60) else { continue }
        for file in item.changes.files { device.bring(FilePlace(queue: queue.rawValue, hash: file)) }
      }
    }
  }
}

extension Device {
  /// Begins to bring a file, unless that is under way.
  func bring(_ place: FilePlace) {
    guard let life, let bytes = world.files.bytes[place.hash], life.uploads.begin(place) else { return }
    let lengths = world.isQuiet ? [200] : [8, 30, 60, 200]
    let uploader = Uploader(
      device: self, process: life.process, environment: life.environment, place: place, bytes: bytes,
      length: world.random.pick(lengths))
    world.count("uploads")
    life.process.executor.spawn { [self, uploads = life.uploads] in
      let isThere = await uploader.bring()
      uploads.end(place)
      guard isThere, !uploader.process.isOver, self.life?.process === uploader.process, closing == nil else { return }
      world.count("uploads done")
      noteUploaded([place.hash], in: QueueID(place.queue))
    }
  }
}

/// What one life of a device brings at the moment. `@unchecked Sendable`: one thread.
final class Uploads: @unchecked Sendable {
  private(set) var places: [FilePlace] = []

  /// False where that is under way.
  func begin(_ place: FilePlace) -> Bool {
    guard !places.contains(place) else { return false }
    places.append(place)
    return true
  }

  func end(_ place: FilePlace) { places.removeAll { $0 == place } }
}
