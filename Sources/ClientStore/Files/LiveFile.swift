// The status of a file and the progress of all, for SwiftUI and other observers.

import Determinism
public import ModelTypes
public import Observation
import SyncProtocol
public import WireFormat

/// The status of a file now, for `@Observable` observers on the main actor. Costs nothing while nothing changes.
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

  /// The status of the file now.
  public var status: FileStatus {
    watch.access()
    return watch.store.files.status(of: file, in: queue)
  }
}

/// The uploads and downloads that remain, for `@Observable` observers on the main actor.
@MainActor
public final class LiveFileProgress: Observable {
  private let watch: FileWatch

  init(store: ModelStore) { watch = FileWatch(store, nil) }

  /// The uploads and downloads that remain now.
  public var value: FileProgress {
    watch.access()
    return watch.store.files.progress
  }
}

extension StoreFiles {
  /// The status of a file, for a view to observe.
  @MainActor
  public func live(_ file: FileReference, in queue: QueueID?) -> LiveFile {
    LiveFile(store: store, file: file, queue: queue)
  }

  /// The uploads and downloads that remain, for a view to observe.
  @MainActor
  public var liveProgress: LiveFileProgress { LiveFileProgress(store: store) }
}

/// Tells observers that a file has changed: once for all changes until they look again.
@MainActor
private final class FileWatch: Observable {
  let store: ModelStore
  private let registrar = ObservationRegistrar()
  private let isToldSoon = StoreLock(false)
  private let place: FilePlace?
  private var number = 0

  /// The property that observers register for; it has no value.
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

  /// Refers to the watch weakly, so that the store does not keep it alive.
  @MainActor
  private final class Relay {
    weak var target: FileWatch?
  }

  private func tell() {
    isToldSoon.withLock { $0 = false }
    registrar.withMutation(of: self, keyPath: \.state) {}
  }
}
