// One file for a view: how far it is, for SwiftUI or whatever else observes.

import Determinism
public import ModelTypes
public import Observation
import SyncProtocol
public import WireFormat

/// A file as it stands now, for `@Observable` observers on the main actor. Costs nothing while nothing changes.
@MainActor
public final class LiveFile: Observable {
  public nonisolated let file: FileReference
  /// Nil for objects that never leave the device.
  public nonisolated let queue: QueueID?
  private let watch: FileWatch

  init(store: ModelStore, file: FileReference, queue: QueueID?) {
    (self.file, self.queue) = (file, queue)
    watch = FileWatch(store, FilePlace(queue: (queue ?? .zero).rawValue, hash: file.hash))
  }

  /// How far the file is, now.
  public var status: FileStatus {
    watch.access()
    return watch.store.files.status(of: file, in: queue)
  }
}

/// How many files are to go up and come down, for `@Observable` observers on the main actor.
@MainActor
public final class LiveFileProgress: Observable {
  private let watch: FileWatch

  init(store: ModelStore) { watch = FileWatch(store, nil) }

  /// The files that are still to go up and to come down, now.
  public var value: FileProgress {
    watch.access()
    return watch.store.files.progress
  }
}

extension StoreFiles {
  /// How far a file is, for a view to observe.
  @MainActor
  public func live(_ file: FileReference, in queue: QueueID?) -> LiveFile {
    LiveFile(store: store, file: file, queue: queue)
  }

  /// The files that are still to go up and to come down, for a view to observe.
  @MainActor
  public var liveProgress: LiveFileProgress { LiveFileProgress(store: store) }
}

/// Tells observers that a file has changed, once for as many changes as happen before they look again.
@MainActor
private final class FileWatch: Observable {
  let store: ModelStore
  private let registrar = ObservationRegistrar()
  private let isToldSoon = StoreLock(false)
  private let place: FilePlace?
  private var number = 0

  /// Stands for whatever is looked at.
  private var state: Void { () }

  init(_ store: ModelStore, _ place: FilePlace?) {
    (self.store, self.place) = (store, place)
    let relay = Relay()
    number = store.fileTable.withLock {
      $0.watchers.add(place) { [isToldSoon, environment = store.environment] in
        let isFirst = isToldSoon.withLock { soon in
          defer { soon = true }
          return !soon
        }
        if isFirst { environment.spawn { await relay.target?.tell() } }
      }
    }
    relay.target = self
  }

  deinit { store.fileTable.withLock { [place, number] in $0.watchers.remove(place, number) } }

  func access() { registrar.access(self, keyPath: \.state) }

  /// From the store to the watch without keeping it alive.
  @MainActor
  private final class Relay {
    weak var target: FileWatch?
  }

  private func tell() {
    isToldSoon.withLock { $0 = false }
    registrar.withMutation(of: self, keyPath: \.state) {}
  }
}
