// One client syncs a store.

import WireFormat

/// The client of this process that syncs the store, and how to wake it.
struct SyncHolder {
  /// The client that took over sync last.
  private(set) var id: UUIDValue?
  /// Which queues the user is asked about; nil before a client has said so.
  private(set) var policy: InvitationPolicy?
  private var wakeClient: Effects.Wake?

  /// Makes `id` the client that syncs, and wakes the earlier one, which finds that it was replaced, and ends.
  mutating func take(
    by id: UUIDValue, _ policy: InvitationPolicy, waking wake: @escaping Effects.Wake, _ effects: inout Effects
  ) {
    self.wake(&effects)
    (self.id, self.policy, wakeClient) = (id, policy, wake)
  }

  mutating func end(by id: UUIDValue?) {
    if self.id == id { wakeClient = nil }
  }

  /// Tells the client that syncs that there may be something new to send or to tell.
  func wake(_ effects: inout Effects) {
    guard let id, let wakeClient else { return }
    effects.wake(.client(id), wakeClient)
  }
}
