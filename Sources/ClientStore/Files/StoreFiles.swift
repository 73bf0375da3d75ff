// The files of a store, as an app reads them.

import Determinism
public import Foundation
public import ModelTypes
import SyncProtocol
public import WireFormat

extension ModelStore {
  /// The files of the store: where their bytes are, and how far their transfers have come.
  public var files: StoreFiles { StoreFiles(store: self) }
}

/// The files that the objects of a store name (docs/guides/files.md).
public struct StoreFiles: Sendable {
  let store: ModelStore

  /// The URL of a file now; nil if it is not on this device. A fetched file may be evicted later, so use the URL at
  /// once, or hold what `read` returns.
  public func url(of file: FileReference) -> URL? {
    store.fileFolder.path(of: file.hash).map(URL.init(file:))
  }

  /// A file from this device, or fetched from the server. `queue` is that of the object that names it, nil for objects
  /// that never leave the device.
  ///
  /// Waits until the bytes are here: for the network, and for the device that added the file to upload it. A
  /// `SyncClient` has to run. Throws a `FileError`, and `CancellationError` if its task is cancelled.
  public func read(_ file: FileReference, in queue: QueueID?) async throws -> LocalFile {
    while true {
      if store.isClosed { throw FileError.ended }
      if let local = try await local(CachedName(file.hash), in: queue) { return local }
      guard let queue else { throw FileError(.lost, "The bytes of \(file.hash) are no longer on this device.") }
      try await fetch(file, in: queue)
    }
  }

  func local(_ name: CachedName, in queue: QueueID?) async throws -> LocalFile? {
    let folder = store.fileFolder
    // Pinned before it is looked for, so that a file that is found stays.
    let local = LocalFile(name, folder)
    guard let path = folder.path(of: name) else { return nil }
    local.path = path
    let now = store.environment.nowMilliseconds()
    if path == folder.cached(name) { try? folder.disk.touch(path, at: now) }
    if let queue { try await remember(FileKey(queue: queue, hash: name.hash)) }
    return local
  }

  /// Notes that the file was seen in this queue too, so that it stays when another queue goes.
  private func remember(_ place: FileKey) async throws {
    guard try store.reader.state(of: place) == nil, store.mayRead(place) else { return }
    try await store.storeFetched(place)
  }

  private func fetch(_ file: FileReference, in queue: QueueID) async throws {
    let place = FileKey(queue: queue, hash: file.hash)
    guard store.mayRead(place), store.memory.withLock({ $0.saves.closed }) == nil else { throw FileError.ended }
    guard file.size >= 0 else { throw FileError(.wrongBytes, "The reference says a size of \(file.size).") }
    let waiter = Locked<Int?>(nil)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let number = store.fileTable.withLock { $0.wait(for: place, size: file.size, continuation) }
        waiter.withLock { $0 = number }
        store.memory.withLock { $0.wakeSync() }
        // The store may have been closed, or the queue may have gone, just before.
        if store.memory.withLock({ $0.saves.closed }) != nil || !store.mayRead(place) {
          return store.failFetch(place, .ended)
        }
        // If the cancellation handler ran before, it found no number.
        if Task.isCancelled { leave(place, number) }
      }
    } onCancel: {
      if let number = waiter.withLock({ $0 }) { leave(place, number) }
    }
  }

  private func leave(_ place: FileKey, _ waiter: Int) {
    store.fileTable.withLock { $0.leave(place, waiter) }
  }
}

// Status and progress.
extension StoreFiles {
  /// The status of a file now. A nil queue stands for objects that never leave the device.
  public func status(of file: FileReference, in queue: QueueID?) -> FileStatus {
    let place = FileKey(queue: queue ?? .zero, hash: file.hash)
    let (upload, fetch) = store.fileTable.withLock { ($0.uploads[place], $0.fetches[place]) }
    if let status = upload?.status(of: file) ?? fetch?.status { return status }
    guard store.fileFolder.path(of: file.hash) != nil else { return .remote }
    return (try? store.reader.state(of: place))?.isOnServer == true ? .uploaded : .local
  }

  /// The status of a file, at once and after every change; a slow reader misses states in between.
  public func statusUpdates(of file: FileReference, in queue: QueueID?) -> AsyncStream<FileStatus> {
    store.watching(file.hash) { [self] in status(of: file, in: queue) }
  }

  /// The uploads and downloads that remain now.
  public var progress: FileProgress { store.fileTable.withLock { $0.progress } }

  /// The progress of all files, at once and after every change; a slow reader misses states in between.
  public var progressUpdates: AsyncStream<FileProgress> { store.watching(nil) { [self] in progress } }
}

extension ModelStore {
  /// Whether the files of a queue may be seen on this device.
  func mayRead(_ place: FileKey) -> Bool {
    let queue = place.queue
    return memory.withLock { !$0.ledger.isHidden(queue) && !$0.sync.place(of: queue).load.isGone }
  }

  fileprivate func watching<Value: Equatable & Sendable>(
    _ hash: ContentHash?, _ look: @escaping @Sendable () -> Value
  ) -> AsyncStream<Value> {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = fileTable.withLock { $0.watchers.add(hash) { wake.yield() } }
    wake.onTermination = { [fileTable] _ in fileTable.withLock { $0.watchers.remove(hash, number) } }
    wake.yield()
    let changes = StatusChanges(wakes) { [self] in isClosed ? nil : look() }
    return AsyncStream { await changes.next() }
  }
}

extension FileTable.Upload {
  fileprivate func status(of file: FileReference) -> FileStatus {
    error.map(FileStatus.failed) ?? .uploading(sent: sent, of: size ?? file.size)
  }
}

extension FileTable.Fetch {
  fileprivate var status: FileStatus { error.map(FileStatus.failed) ?? .downloading(received: received, of: size) }
}

extension StoredFiles.State {
  fileprivate var isOnServer: Bool {
    switch self {
    case .uploaded, .fetched: true
    case .toUpload, .kept, .device: false
    }
  }
}

/// Looks the state up at each wake, and passes it on if it has changed. Ends where `look` gives nil.
private actor StatusChanges<Value: Equatable & Sendable> {
  private var wakes: AsyncStream<Void>.Iterator
  private let look: @Sendable () -> Value?
  private var last: Value?

  init(_ wakes: AsyncStream<Void>, _ look: @escaping @Sendable () -> Value?) {
    (self.wakes, self.look) = (wakes.makeAsyncIterator(), look)
  }

  func next() async -> Value? {
    while true {
      var wakes = wakes
      let isOver = await wakes.next(isolation: self) == nil
      self.wakes = wakes
      guard !isOver, let value = look() else { return nil }
      guard value != last else { continue }
      last = value
      return value
    }
  }
}
