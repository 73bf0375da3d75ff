// The files to upload and to fetch, in memory. Pure.

import SyncProtocol
import WireFormat

/// Uploads in the order in which they were named, fetches with the newest first, and the watchers of each file.
struct FileTable {
  private(set) var uploads: [FileKey: Upload] = [:]
  /// The uploads that may go. Files whose operations have no outcome yet are not in it.
  private var order = UploadOrder()
  /// Uploads that were added since the last `sortUploads`.
  private var unsorted: Set<FileKey> = []
  private(set) var fetches: [FileKey: Fetch] = [:]
  /// The newest request is last, and is fetched first: the user is looking at that file.
  private(set) var fetchOrder: [FileKey] = []
  private(set) var progress = FileProgress()
  var watchers = FileWatchers()
  /// What the changes since the lock was taken lead to. `FileTableLock` performs them once it is free.
  var effects = Effects()
  private var lastWaiter = 0

  struct Upload: Hashable {
    /// The number of the operation that named the file first.
    var number: Int64
    /// The objects that name it. It is uploaded as long as one of them exists, or an operation waits for it.
    var objects: Set<UUIDValue>
    /// In bytes; nil where the file is not on this device.
    var size: Int64?
    var sent: Int64 = 0
    var error: FileError?
    /// The failed attempts, also of earlier runs, for the pause before the next one.
    var failure: QueueFailure?
    /// How often its bytes have come back to this device after they were lost.
    var request = 0
  }

  struct Fetch {
    /// The waiter that began the fetch: it tells a new fetch of a file from an earlier one.
    var request: Int
    /// In bytes, as the reference says.
    var size: Int64
    var received: Int64 = 0
    var error: FileError?
    var waiters: [Int: Effects.Waiter] = [:]
  }
}

// Uploads.
extension FileTable {
  /// Takes in files that have become uploads on disk. Called in the order of the writer.
  mutating func take(_ taken: StoredFiles.Uploads) {
    uploads.reserveCapacity(uploads.count + taken.count)
    unsorted.reserveCapacity(unsorted.count + taken.count)
    for (place, upload) in taken { put(upload, at: place) }
  }

  /// What is known of an upload stays, its failures too: naming the file again makes no attempt due.
  private mutating func put(_ upload: Upload, at place: FileKey) {
    var known = uploads[place] ?? upload
    known.objects.formUnion(upload.objects)
    known.size = upload.size ?? known.size
    if uploads[place] == nil { unsorted.insert(place) }
    change(place) { $0.uploads[place] = known }
  }

  /// Makes an upload due whose bytes were lost: the user has added them again.
  mutating func didFind(_ place: FileKey) {
    guard uploads[place]?.error?.code == .lost else { return }
    update(place) { upload in
      (upload.error, upload.failure) = (nil, nil)
      upload.request += 1
    }
  }

  mutating func update(_ place: FileKey, _ body: (inout Upload) -> Void) {
    guard var upload = uploads[place] else { return }
    body(&upload)
    change(place) { $0.uploads[place] = upload }
  }

  mutating func removeUpload(_ place: FileKey) {
    if let upload = uploads[place] { order.remove(place, number: upload.number) }
    unsorted.remove(place)
    change(place) { $0.uploads[place] = nil }
  }

  /// Updates `order` for uploads that are new, and for places that have `changed` in the outbox since the last call.
  mutating func sortUploads(_ changed: Set<FileKey>, isUndecided: (FileKey) -> Bool) {
    // Sorted, so that each goes to the end of `order`.
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

  /// The first uploads for which `isFree` holds: those of `urgent` first, both in the order of their numbers.
  func nextUploads(limit: Int, urgent: Set<FileKey>, where isFree: (FileKey) -> Bool) -> [FileKey] {
    let first = urgent.filter { uploads[$0] != nil && isFree($0) }
      .sorted { (uploads[$0]?.number ?? 0, $0.hash) < (uploads[$1]?.number ?? 0, $1.hash) }.prefix(limit)
    return first + order.first(limit - first.count) { !urgent.contains($0) && isFree($0) }
  }
}

// Fetches.
extension FileTable {
  /// Adds a waiter, and makes the file the next one to fetch. Returns the number of the waiter.
  mutating func wait(for place: FileKey, size: Int64, _ waiter: Effects.Waiter) -> Int {
    lastWaiter += 1
    let number = lastWaiter
    fetchOrder.removeAll { $0 == place }
    fetchOrder.append(place)
    change(place) { $0.fetches[place, default: Fetch(request: number, size: size)].waiters[number] = waiter }
    return number
  }

  /// Cancels a waiter. With the last one the fetch ends; the bytes that have arrived stay for the next one.
  mutating func leave(_ place: FileKey, _ number: Int) {
    guard let waiter = fetches[place]?.waiters.removeValue(forKey: number) else { return }
    effects.resume(waiter, with: .failure(CancellationError()))
    if fetches[place]?.waiters.isEmpty == true { endFetch(place) }
  }

  /// Ends a fetch, and resumes its waiters: with the error, if there is one.
  mutating func endFetch(_ place: FileKey, _ error: FileError? = nil) {
    guard let fetch = fetches[place] else { return }
    fetchOrder.removeAll { $0 == place }
    change(place) { $0.fetches[place] = nil }
    for (_, waiter) in fetch.waiters.sorted(by: { $0.key < $1.key }) {
      effects.resume(waiter, with: error.map { .failure($0) } ?? .success(()))
    }
    assert(!fetchOrder.contains(place) && fetches[place] == nil, "nobody waits for a fetch that has ended")
  }

  mutating func updateFetch(_ place: FileKey, _ body: (inout Fetch) -> Void) {
    guard var fetch = fetches[place] else { return }
    body(&fetch)
    change(place) { $0.fetches[place] = fetch }
  }

  /// The first fetches for which `isFree` holds, the newest request first.
  func nextFetches(limit: Int, where isFree: (FileKey, Int) -> Bool) -> [FileKey] {
    fetchOrder.reversed().first(limit) { place in fetches[place].map { isFree(place, $0.request) } ?? false }
  }
}

// Changes of files that are not transferred.
extension FileTable {
  /// Ends the transfers of a queue that has gone.
  mutating func end(_ queue: QueueID) {
    for place in uploads.keys.filter({ $0.queue == queue }).sorted() { removeUpload(place) }
    for place in fetches.keys.filter({ $0.queue == queue }).sorted() { endFetch(place, .ended) }
    // The files that were uploaded or fetched have gone with their rows.
    watchers.wakeAll(&effects)
  }

  /// Tells watchers that the bytes of a file have come or gone, or that its rows have changed.
  mutating func didChange(_ hash: ContentHash) { watchers.wake(hash, &effects) }
}

// Sums over all files, updated with each change.
extension FileTable {
  private mutating func change(_ place: FileKey, _ body: (inout Self) -> Void) {
    count(place, -1)
    body(&self)
    count(place, 1)
    assert(progress.uploads == uploads.count && progress.downloads == fetches.count, "the sums are of all files")
    watchers.wake(place.hash, &effects)
  }

  private mutating func count(_ place: FileKey, _ sign: Int) {
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
