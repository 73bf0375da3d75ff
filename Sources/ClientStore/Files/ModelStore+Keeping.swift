// Files that operations name: kept before the operation is, and noted with it.

import Determinism
public import ModelTypes
import SyncProtocol
public import WireFormat

extension ModelStore {
  /// Copies a source into the store, and works out its hash on the way. The reference can be put into an object at once.
  ///
  /// `name` is the last part of a path, unless told; `mime` goes by the ending of the name. What no saved object names is
  /// swept after a day. Throws a `FileError`: `source` where the source cannot be read or was changed meanwhile, `disk`
  /// where it cannot be kept.
  public func file(from source: FileSource, mime: String? = nil, name: String? = nil) async throws -> FileReference {
    try await fileFolder.file(from: source, mime: mime, name: name, environment)
  }

  /// The hash that `file(from:)` would give, without a copy: to ask whether there is an object with this file.
  ///
  /// A stream is read to its end by it. Throws a `FileError` like `file(from:)`.
  public func hash(of source: FileSource) async throws -> ContentHash { try await fileFolder.hash(of: source) }

  /// As `file(from:)`, without opening the store, which another process may have open: for a share extension.
  public static func file(
    from source: FileSource, mime: String? = nil, name: String? = nil, inStoreAt folder: String,
    files: FileOptions = FileOptions()
  ) async throws -> FileReference {
    let environment = RuntimeEnvironment.current
    return try await FileFolder(storeFolder: folder, files, name: "")
      .file(from: source, mime: mime, name: name, environment)
  }

  /// Brings what operations name to where it survives, before they are saved. Returns the sizes of those files that are here.
  func keepFiles(of operations: [PendingOperation]) throws -> [ContentHash: Int64] {
    let hashes = filesNamed(by: operations)
    guard !hashes.isEmpty else { return [:] }
    let absent = try fileFolder.keep(hashes.sorted(), at: environment.nowMilliseconds)
    var sizes: [ContentHash: Int64] = [:]
    for hash in hashes where !absent.contains(hash) {
      sizes[hash] = try fileFolder.disk.state(of: fileFolder.pending(hash))?.size
    }
    return sizes
  }

  func filesNamed(by operations: [PendingOperation]) -> Set<ContentHash> {
    Set(operations.lazy.filter(\.changes.namesFiles).flatMap(\.changes.objectsByFile.keys))
  }

  func noteUploads(_ uploads: StoredFiles.Uploads) {
    guard !uploads.isEmpty else { return }
    fileTable.withLock { table in
      table.reserve(uploads.count)
      for (place, upload) in uploads { table.put(upload, at: place) }
    }
    memory.withLock { $0.sync.wake() }
  }

  /// Files that are to be brought once more, and may lie in the cache by now.
  func uploadAgain(_ uploads: StoredFiles.Uploads) {
    keepAgain(Set(uploads.keys.map(\.hash)))
    noteUploads(uploads)
  }

  /// A step that the disk refuses now is done after the next opening.
  private func keepAgain(_ hashes: Set<ContentHash>) {
    guard !hashes.isEmpty else { return }
    // Before the look: what is being removed is gone then, and nothing else is removed.
    fileFolder.beginKeeping(hashes)
    defer { fileFolder.endKeeping(hashes) }
    let cached = hashes.filter(fileFolder.isOnlyCached).sorted()
    if !cached.isEmpty { _ = try? fileFolder.keep(cached, at: environment.nowMilliseconds) }
  }

  /// Takes in the changes that a step of a queue has made to its files.
  func didChangeFiles(of step: QueueStep, _ result: QueueStep.Result) {
    uploadAgain(result.uploads)
    guard step.endsRights else { return }
    let queue = step.queue.rawValue
    let (ended, fetched) = fileTable.withLock { table in
      for place in table.uploads.keys.filter({ $0.queue == queue }).sorted() { table.removeUpload(place) }
      let ended = table.fetches.keys.filter { $0.queue == queue }.sorted().flatMap { table.endFetch($0) }
      return (ended, Set(table.fetches.keys.map(\.hash)))
    }
    for waiter in ended { waiter.resume(throwing: FileError.ended) }
    removeUnnamed(result.forgottenFiles)
    try? fileFolder.removeParts(but: fetched)
  }

  /// Also where somebody holds one: the right to it has gone. What cannot be removed now is swept later.
  func removeUnnamed(_ hashes: [ContentHash]) {
    for hash in hashes {
      try? fileFolder.unless(isFileNamed, hash) { try fileFolder.remove(hash) }
    }
  }

  /// By a row, by an operation on its way, or by a report: what could not be saved has nothing else.
  func isFileNamed(_ hash: ContentHash) throws -> Bool {
    if try reader.isFileNamed(hash) { return true }
    if memory.withLock({ $0.namedFiles.contains(hash) }) { return true }
    return attention.contains { $0.changes.objectsByFile[hash] != nil }
  }

  /// Ends all waiting for files with an error, when the store is closed.
  func endReading() {
    let waiters = fileTable.withLock { table in table.fetchOrder.flatMap { table.endFetch($0) } }
    for waiter in waiters { waiter.resume(throwing: FileError.ended) }
  }

  /// Once, when an app has had the time to show what it shows first: looking at 100,000 files takes half a second.
  func sweepFilesLater() {
    guard fileFolder.isThere else { return }
    environment.spawn { [weak self, environment] in
      guard (try? await environment.sleep(milliseconds: 5_000)) != nil else { return }
      await self?.sweepFiles()
    }
  }

  /// Crashes and changed minds have left files behind.
  func sweepFiles() async {
    guard memory.withLock({ $0.saves.closed == nil }) else { return }
    let now = Timestamp(millisecondsSince1970: environment.nowMilliseconds())
    // A file on its way into a queue that has gone is reported one day.
    let named = Set(attention.flatMap(\.changes.objectsByFile.keys)).union(memory.withLock { $0.namedFiles })
    do {
      for (number, place) in fileTable.withLock({ Array($0.uploads.keys) }).enumerated() {
        if number.isMultiple(of: 100) { await Task.yield() }
        keepAgain([place.hash])
      }
      let unnamed = try await writer.sweepFiles(keptBefore: now.oldestRetired, named: named)
      removeUnnamed(unnamed)
      try await fileFolder.sweep(at: now, isNamed: isFileNamed)
      try fileFolder.evict(unless: reader.isFileNeeded)
    } catch {
      // The next opening sweeps again.
    }
  }
}

extension FileFolder {
  fileprivate func file(
    from source: FileSource, mime: String?, name: String?, _ environment: RuntimeEnvironment
  ) async throws -> FileReference {
    let (hash, size) = try await add(source, environment)
    let name = name ?? source.name ?? ""
    return FileReference(hash: hash, size: size, mime: mime ?? MediaType.of(name: name), name: name)
  }
}
