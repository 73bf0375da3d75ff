// Reads ahead of a view that scrolls, in the background. Only the newest request counts.

import Determinism
public import ModelTypes
import WireFormat

/// Performs the steps of the newest request. The task of an older one ends at its next step.
final class Prefetching: Sendable {
  private let newest = Locked<UInt64>(0)

  func begin<Step: Sendable>(
    _ steps: [Step], in environment: RuntimeEnvironment, _ perform: @escaping @Sendable (Step) -> Void
  ) {
    let number = newest.withLock { newest in
      newest += 1
      return newest
    }
    environment.spawn { [weak self] in
      for step in steps {
        guard self?.newest.withLock({ $0 == number }) == true else { return }
        perform(step)
      }
    }
  }
}

extension ListHandle {
  /// Reads the objects at these positions in the background, so that their bytes are in memory when `object` is called.
  ///
  /// Reads at most 1,000 of those that the snapshot has. A later call replaces this one.
  public func prefetch(_ positions: Range<Int>, of snapshot: ListSnapshot<Object, Section>) {
    let ids = snapshot.ids(at: positions)
    // An object that cannot be read fails again when the app asks for it.
    prefetching.begin(ids, in: store.environment) { [store] in _ = try? store.object($0) }
  }
}

extension ViewList {
  /// Derives the views of the objects at these positions in the background, so that `view` only looks them up.
  ///
  /// Derives at most 1,000 of those that the snapshot has. A later call replaces this one.
  public func prefetch(_ positions: Range<Int>, of snapshot: ListSnapshot<View.Object, Section>) {
    let ids = snapshot.ids(at: positions)
    list.prefetching.begin(ids, in: list.store.environment) { [core] in _ = try? core.view($0) }
  }
}

extension ListSnapshot {
  /// At most as many as `ViewMemo` keeps, because more would evict the first ones again.
  fileprivate func ids(at positions: Range<Int>) -> [ObjectID<Object>] {
    positions.clamped(to: 0..<count).prefix(1_000).map { id(at: $0) }
  }
}
