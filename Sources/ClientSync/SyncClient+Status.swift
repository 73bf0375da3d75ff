// The status of sync, for an app to show.

import ClientStore
import WireFormat

extension SyncClient {
  /// The status of sync now.
  public var status: SyncStatus {
    let counts = store.operationCounts
    return SyncStatus(
      activity: activity(pending: counts.pending), pendingOperations: counts.pending,
      failedOperations: counts.failed, lastSynced: lastSynced, offlineSince: machine.connection.since ?? silentSince,
      nextRetry: nextRetry,
      slowNetwork: slowNetwork, problem: failure.map { SyncError(.store, "\($0)") } ?? machine.problem ?? silence)
  }

  /// Nil where no run will try again, and where an attempt is due anyway.
  private var nextRetry: Timestamp? {
    machine.connection.retryAt.flatMap { bell != nil && $0 > .zero ? $0 : nil }
  }

  private var silence: SyncError? {
    silentSince.map { _ in SyncError(.unreachable, "Nothing comes from the server.") }
  }

  /// What to show of a slow network while requests are under way.
  private var slowNetwork: SyncStatus.SlowNetwork? {
    let isSending = machine.isPushing || files.isBusy
    guard isSending || machine.isPulling, let rate = (isSending ? link.up : link.down).slowBytesPerSecond else {
      return nil
    }
    return SyncStatus.SlowNetwork(bytesPerSecond: rate, bytesToSend: store.bytesToSend)
  }

  private func activity(pending: Int) -> SyncStatus.Activity {
    if bell == nil { return .stopped }
    if machine.isPaused { return .paused }
    if machine.connection.hasFailed || silentSince != nil { return .offline }
    // A pause that the server has asked for ends by itself, so it is no failure to show.
    if !machine.pace.isDue(at: now) { return pending > 0 ? .pushing : .pulling }
    if machine.isPulling { return .pulling }
    return machine.isPushing ? .pushing : .idle
  }

  /// The status, at once and after every change. A slow reader misses those in between.
  public var statusUpdates: AsyncStream<SyncStatus> {
    let (updates, watcher) = AsyncStream.makeStream(of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
    watcher.yield(status)
    watchers.append(watcher)
    return updates
  }

  /// Sends the status to the watchers if it has changed.
  func tell() {
    var status = status
    if status.isUpToDate, lastTold?.isUpToDate != true {
      lastSynced = now
      status.lastSynced = now
    }
    guard status != lastTold else { return }
    lastTold = status
    watchers.removeAll { watcher in
      if case .terminated = watcher.yield(status) { true } else { false }
    }
  }
}
