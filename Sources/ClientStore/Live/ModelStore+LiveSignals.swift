// What others show, live.

public import ModelTypes
public import WireFormat

extension ModelStore {
  /// What the other members show of a model in a queue, for a view to observe.
  @MainActor
  public func liveSignals<Value: EphemeralModel>(
    _ model: Value.Type, in queue: QueueID
  ) -> LiveValue<[Signal<Value>]> {
    let source = LiveSource<[Signal<Value>]> {
      .init(value: self.signals(model, in: queue))
    } register: { wake in
      let watcher = self.watch(queue, wake)
      return LiveRegistration { [weak self] in self?.endWatching(queue, watcher) }
    }
    return LiveValue(liveNews, source)
  }
}
