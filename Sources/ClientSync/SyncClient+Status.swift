// The status of sync, for an app to show.

import ClientStore
import WireFormat

extension SyncClient {
  /// The status of sync now.
  public var status: SyncStatus {
    let counts = store.operationCounts
    return SyncStatus(
      activity: activity(pending: counts.pending), pendingOperations: counts.pending,
      failedOperations: counts.failed, lastSynced: statusFeed.lastSynced,
      offlineSince: machine.connection.since ?? silentSince,
      nextRetry: nextRetry,
      slowNetwork: slowNetwork,
      problem: failure.map { SyncError(.store, "\($0)") } ?? machine.problem ?? machine.outdated ?? silence)
  }

  /// Why operations wait though nothing has failed.
  var withheld: SyncError? { machine.withholds ? machine.outdated : nil }

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
  public var statusUpdates: AsyncStream<SyncStatus> { statusFeed.watch(from: status) }

  /// Sends the status to the watchers if it has changed.
  func tell() { statusFeed.tell(status, at: now) }
}

/// What was told of the status, and to whom.
struct StatusFeed {
  private var watchers: [AsyncStream<SyncStatus>.Continuation] = []
  private var last: SyncStatus?
  /// When the status became up to date last.
  private(set) var lastSynced: Timestamp?

  mutating func watch(from status: SyncStatus) -> AsyncStream<SyncStatus> {
    let (updates, watcher) = AsyncStream.makeStream(of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
    watcher.yield(status)
    watchers.append(watcher)
    return updates
  }

  mutating func tell(_ status: SyncStatus, at now: Timestamp) {
    if status.isUpToDate, last?.isUpToDate != true { lastSynced = now }
    var status = status
    status.lastSynced = lastSynced
    guard status != last else { return }
    last = status
    watchers.removeAll { watcher in
      if case .terminated = watcher.yield(status) { true } else { false }
    }
  }
}
