// What others show, live.

public import ModelTypes
public import WireFormat

extension ModelStore {
  /// What the other members show of a model in a queue, for a view to observe.
  @MainActor
  public func liveSignals<Value: EphemeralModel>(
    _ model: Value.Type, in queue: QueueID
  ) -> LiveValue<[Signal<Value>]> {
    let isOld = Locked(true)
    var seen: [Signal<Value>] = []
    let source = LiveSource<[Signal<Value>]> {
      let mustRead = isOld.withLock { isOld in
        defer { isOld = false }
        return isOld
      }
      if mustRead { seen = self.signals(model, in: queue) }
      return .init(value: seen)
    } register: { wake in
      let watcher = self.watch(queue) {
        isOld.withLock { $0 = true }
        wake()
      }
      return LiveRegistration { [weak self] in self?.endWatching(queue, watcher) }
    }
    return LiveValue(liveNews, source)
  }
}
