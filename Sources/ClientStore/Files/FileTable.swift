// The files that are to go up or come down, in memory. Pure.

import ModelTypes
import SyncProtocol
import WireFormat

/// Uploads in the order in which they were named, fetches with the newest first, and who watches which file.
struct FileTable {
  private(set) var uploads: [FilePlace: Upload] = [:]
  /// The uploads that may go, as far as the outbox says: those that wait are not in it.
  private var order = UploadOrder()
  /// Those that came, since the outbox was asked about them.
  private var unsorted: Set<FilePlace> = []
  private(set) var fetches: [FilePlace: Fetch] = [:]
  /// The file that was asked for last comes first: the user is looking at it.
  private(set) var fetchOrder: [FilePlace] = []
  private(set) var progress = FileProgress()
  var watchers = FileWatchers()
  /// The server's history, once the store has noted it for its files.
  var history: UUIDValue?
  private var lastWaiter = 0

  struct Upload: Hashable {
    /// Of the operation that named it first.
    var number: Int64
    /// The objects that name it; it is brought as long as one of them is there, or an operation waits for it.
    var objects: Set<UUIDValue>
    /// In bytes; nil where the file is not on this device.
    var size: Int64?
    var sent: Int64 = 0
    var error: FileError?
    /// Of earlier runs, for the pause before the next attempt.
    var failure: QueueFailure?
  }

  struct Fetch {
    /// As the reference says.
    var size: Int64
    var received: Int64 = 0
    var error: FileError?
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
  }
}

// Uploads.
extension FileTable {
  /// So many more are about to be put.
  mutating func reserve(_ count: Int) {
    uploads.reserveCapacity(uploads.count + count)
    unsorted.reserveCapacity(unsorted.count + count)
  }

  mutating func put(_ upload: Upload, at place: FilePlace) {
    var upload = upload
    if let known = uploads[place] {
      upload.number = known.number
      upload.objects.formUnion(known.objects)
      upload.size = upload.size ?? known.size
      upload.sent = known.sent
    } else {
      unsorted.insert(place)
    }
    change(place) { $0.uploads[place] = upload }
  }

  mutating func update(_ place: FilePlace, _ body: (inout Upload) -> Void) {
    guard var upload = uploads[place] else { return }
    body(&upload)
    change(place) { $0.uploads[place] = upload }
  }

  mutating func removeUpload(_ place: FilePlace) {
    if let upload = uploads[place] { order.remove(place, number: upload.number) }
    unsorted.remove(place)
    change(place) { $0.uploads[place] = nil }
  }

  /// Takes over what the outbox says of places that came or were `changed` there since it was asked.
  mutating func sortUploads(_ changed: Set<FilePlace>, isUndecided: (FilePlace) -> Bool) {
    // In their order, so that each goes to the end of what there is.
    let places = changed.union(unsorted).compactMap { place in uploads[place].map { (place: place, upload: $0) } }
    for (place, upload) in places.sorted(by: { ($0.upload.number, $0.place) < ($1.upload.number, $1.place) }) {
      if isUndecided(place) {
        order.remove(place, number: upload.number)
      } else {
        order.insert(place, number: upload.number)
      }
    }
    unsorted = []
  }

  /// The first uploads that `isFree` lets through: those of `urgent` first, in the order of their numbers.
  func nextUploads(limit: Int, urgent: Set<FilePlace>, where isFree: (FilePlace) -> Bool) -> [FilePlace] {
    let first = urgent.filter { uploads[$0] != nil && isFree($0) }
      .sorted { (uploads[$0]?.number ?? 0, $0.hash) < (uploads[$1]?.number ?? 0, $1.hash) }.prefix(limit)
    return first + order.first(limit - first.count) { !urgent.contains($0) && isFree($0) }
  }
}

// Fetches.
extension FileTable {
  /// Returns the number of the waiter.
  mutating func wait(
    for place: FilePlace, size: Int64, _ continuation: CheckedContinuation<Void, any Error>
  ) -> Int {
    lastWaiter += 1
    let number = lastWaiter
    fetchOrder.removeAll { $0 == place }
    fetchOrder.append(place)
    change(place) { $0.fetches[place, default: Fetch(size: size)].waiters[number] = continuation }
    return number
  }

  /// A file that nobody waits for any more is not fetched; the bytes that have come stay for the next time.
  mutating func leave(_ place: FilePlace, _ waiter: Int) -> CheckedContinuation<Void, any Error>? {
    guard let continuation = fetches[place]?.waiters.removeValue(forKey: waiter) else { return nil }
    if fetches[place]?.waiters.isEmpty == true { _ = endFetch(place) }
    return continuation
  }

  /// Returns those who waited.
  mutating func endFetch(_ place: FilePlace) -> [CheckedContinuation<Void, any Error>] {
    guard let fetch = fetches[place] else { return [] }
    fetchOrder.removeAll { $0 == place }
    change(place) { $0.fetches[place] = nil }
    return fetch.waiters.sorted { $0.key < $1.key }.map(\.value)
  }

  mutating func updateFetch(_ place: FilePlace, _ body: (inout Fetch) -> Void) {
    guard var fetch = fetches[place] else { return }
    body(&fetch)
    change(place) { $0.fetches[place] = fetch }
  }

  /// The newest first.
  func nextFetches(limit: Int, where isFree: (FilePlace) -> Bool) -> [FilePlace] {
    fetchOrder.reversed().first(limit, where: isFree)
  }
}

// Sums over all files, kept up with each change.
extension FileTable {
  private mutating func change(_ place: FilePlace, _ body: (inout Self) -> Void) {
    count(place, -1)
    body(&self)
    count(place, 1)
    watchers.note(place)
  }

  private mutating func count(_ place: FilePlace, _ sign: Int) {
    let times = Int64(sign)
    if let upload = uploads[place] {
      progress.uploads += sign
      progress.uploadBytes += times * (upload.size ?? 0)
      progress.sentBytes += times * upload.sent
      if upload.error != nil { progress.failed += sign }
    }
    if let fetch = fetches[place] {
      progress.downloads += sign
      progress.downloadBytes += times * fetch.size
      progress.receivedBytes += times * fetch.received
      if fetch.error != nil { progress.failed += sign }
    }
  }
}
