// The long poll: a hint that a queue has something to fetch.

import Determinism
public import SyncProtocol
public import WireFormat

extension SyncService {
  /// Takes what is to be called when the client goes. A task for each poll, to be cancelled, would be most of what polls
  /// cost.
  public typealias OnLeaving = @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

  /// Waits until one of the queues has something that the client does not have, or the time is up.
  public func changed(
    _ request: ChangedRequest, by user: UUIDValue, onLeaving: OnLeaving = { _ in }
  ) async throws -> ChangedAnswer {
    guard request.waitSeconds > 0 else { return ChangedAnswer(time: now, queues: try await ready(request, user)) }
    // Registered before it looks: no commit falls between.
    let asked = request.queues.map(\.queue).filter { SyncID.mayBeAsked($0, by: user) }
    let poll = try await polls.register(asked, of: user)
    onLeaving { [polls, environment] in environment.spawn { await polls.give(up: poll) } }
    let queues: [UUIDValue]
    do {
      queues = try await ready(request, user)
    } catch {
      await polls.remove(poll)
      throw error
    }
    guard queues.isEmpty else {
      await polls.remove(poll)
      return ChangedAnswer(time: now, queues: queues)
    }
    let woken = await polls.wait(poll, milliseconds: patience(request.waitSeconds))
    // What woke it may be nothing to this user: looked up again.
    return ChangedAnswer(time: now, queues: woken ? try await ready(request, user) : [])
  }

  /// Polls that began together do not come back together.
  private func patience(_ seconds: Int) -> Int64 {
    let whole = Int64(seconds) * 1000
    return whole - Int64(environment.randomBits() % UInt64(whole / 10 + 1))
  }

  /// Not inlined: what it works with would lie in the frame of each poll that waits.
  @inline(never)
  private func ready(_ request: ChangedRequest, _ user: UUIDValue) async throws -> [UUIDValue] {
    // Here and not around the wait: each poll that is parked would hold it.
    try await Caller.$user.withValue(user) {
      try await storage.read { snapshot in
        try request.queues.filter { try $0.isBehind(user, snapshot) }.map(\.queue)
      }
    }
  }
}

extension ChangedRequest.Queue {
  fileprivate func isBehind(_ user: UUIDValue, _ snapshot: any QueueSnapshot) throws -> Bool {
    guard SyncID.mayBeAsked(queue, by: user) else { return false }
    guard let stored = try snapshot.queue(queue) else { return queue == SyncID.homeQueue(ofUser: user) }
    guard let membership = try snapshot.membership(of: user, in: queue) else { return true }
    return stored.head != cursor || epoch.map { $0 != stored.epoch } ?? false
      || grant.map { $0 != membership.grant } ?? false
  }
}
