// Objects, members, invitations and what has failed, live.

public import ModelTypes
public import WireFormat

extension ModelStore {
  /// An object for a view to observe; nil while there is none. It is notified when the object changes, and when an
  /// operation on it becomes pending or confirmed.
  @MainActor
  public func live<Object: Model>(_ id: ObjectID<Object>) -> LiveValue<Object?> {
    live(.object(id.rawValue), none: nil) { store in try store.object(id) }
  }

  /// The members of a queue for a view to observe, as `members(of:)` lists them.
  @MainActor
  public func liveMembers(of queue: QueueID) -> LiveValue<[QueueMember]> {
    live(.object(queue.root), none: []) { store in try store.members(of: queue) }
  }

  /// The invitations for a view to observe, as `invitations()` lists them.
  @MainActor
  public func liveInvitations() -> LiveValue<[QueueInvitation]> {
    live(.invitations, none: []) { store in try store.invitations() }
  }

  /// The operations that did not happen for a view to observe, as `failedOperations` lists them.
  @MainActor
  public func liveFailedOperations() -> LiveValue<[FailedOperation]> {
    live(.failedOperations, none: []) { store in
      try store.checkReadable()
      return store.failedOperations
    }
  }

  /// A value that is read again after each change.
  @MainActor
  private func live<Value>(
    _ observed: ObservedValue, none: Value, _ read: @escaping (ModelStore) throws -> Value
  ) -> LiveValue<Value> {
    let hasChanged = Locked(true)
    var seen = LiveSource<Value>.Reading(value: none)
    let source = LiveSource<Value> {
      let isOld = hasChanged.withLock { hasChanged in
        defer { hasChanged = false }
        return hasChanged
      }
      guard isOld else { return seen }
      do {
        seen = .init(value: try read(self))
      } catch {
        let error = StoreError(reading: error)
        // A closed store has nothing newer to show.
        seen = .init(value: error.code == .closed ? seen.value : none, error: error)
        // The error may pass, so the next read tries again.
        hasChanged.withLock { $0 = true }
      }
      return seen
    } register: { wake in
      let number = self.memory.withLock { $0.observers.add(observed, marking: hasChanged, wake) }
      return LiveRegistration { [memory = self.memory] in memory.withLock { $0.observers.remove(observed, number) } }
    }
    return LiveValue(liveNews, source)
  }
}
