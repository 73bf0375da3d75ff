// Reads ahead of a view that scrolls, beside it; the newest wish is the only one.

import Determinism
public import ModelTypes
import WireFormat

/// Does one piece of work at a time: what was begun for an older wish ends at its next step.
final class Prefetching: Sendable {
  private let newest = StoreLock<UInt64>(0)

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
  /// Reads the objects at these positions beside, so that `object` finds them in memory.
  ///
  /// The first 1,000 of those that the snapshot has. A later call takes the place of this one.
  public func prefetch(_ positions: Range<Int>, of snapshot: ListSnapshot<Object, Section>) {
    let ids = snapshot.ids(at: positions)
    // An object that cannot be read fails again when the app asks for it.
    prefetching.begin(ids, in: store.environment) { [store] in _ = try? store.object($0) }
  }
}

extension ViewList {
  /// Derives the views of the objects at these positions beside, so that `view` only looks them up.
  ///
  /// The first 1,000 of those that the snapshot has. A later call takes the place of this one.
  public func prefetch(_ positions: Range<Int>, of snapshot: ListSnapshot<View.Object, Section>) {
    let ids = snapshot.ids(at: positions)
    list.prefetching.begin(ids, in: list.store.environment) { [core] in _ = try? core.view($0) }
  }
}

extension ListSnapshot {
  /// As many as views are followed: more would push the first ones out again.
  fileprivate func ids(at positions: Range<Int>) -> [ObjectID<Object>] {
    positions.clamped(to: 0..<count).prefix(1_000).map { id(at: $0) }
  }
}
