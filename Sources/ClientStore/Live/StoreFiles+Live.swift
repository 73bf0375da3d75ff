// The status of a file and the progress of all, live.

public import ModelTypes
import SyncProtocol
public import WireFormat

extension StoreFiles {
  /// The status of a file for a view to observe. A nil queue stands for objects that never leave the device.
  @MainActor
  public func live(_ file: FileReference, in queue: QueueID?) -> LiveValue<FileStatus> {
    live(file.hash) { files in files.status(of: file, in: queue) }
  }

  /// The uploads and downloads that remain, for a view to observe.
  @MainActor
  public func liveProgress() -> LiveValue<FileProgress> {
    live(nil) { files in files.progress }
  }

  /// A value that may change with a file; nil stands for all.
  @MainActor
  private func live<Value>(_ hash: ContentHash?, _ read: @escaping (StoreFiles) -> Value) -> LiveValue<Value> {
    let table = store.fileTable
    let source = LiveSource<Value> {
      .init(value: read(self))
    } register: { wake in
      let number = table.withLock { $0.watchers.add(hash, wake) }
      return LiveRegistration { table.withLock { $0.watchers.remove(hash, number) } }
    }
    return LiveValue(store.liveNews, source)
  }
}
