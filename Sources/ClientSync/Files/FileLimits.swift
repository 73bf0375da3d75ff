// How much of the network files may take.

/// Limits of what a client moves of files.
public struct FileLimits: Hashable, Sendable {
  /// Files under way at the same time: one, and one more whenever more than twice as many wait.
  public var maximumTransfers: Int
  /// Of uploads and downloads together; nil: no limit.
  public var bytesPerSecond: Int64?
  /// Whether uploads go on where the network costs money (`SyncClient.setNetwork`).
  public var uploadsOnExpensiveNetworks: Bool
  /// How many bytes a part has, at least and at most: the simulation has small files.
  package var partBytes: ClosedRange<Int64> = 64 << 10...4 << 20

  /// Less than one transfer, or than one byte a second, counts as one.
  public init(
    maximumTransfers: Int = 4, bytesPerSecond: Int64? = nil, uploadsOnExpensiveNetworks: Bool = false
  ) {
    self.maximumTransfers = max(maximumTransfers, 1)
    self.bytesPerSecond = bytesPerSecond.map { max($0, 1) }
    self.uploadsOnExpensiveNetworks = uploadsOnExpensiveNetworks
  }
}
