// Limits on how much of the network file transfers use.

/// Limits on a client's uploads and downloads of files.
public struct FileLimits: Hashable, Sendable {
  /// The most transfers at the same time. Fewer while few files wait: half as many as the files, rounded up.
  public var maximumTransfers: Int
  /// For uploads and downloads together; nil means no limit.
  public var bytesPerSecond: Int64?
  /// Whether files are uploaded while the network costs money (`SyncClient.setNetwork`).
  public var uploadsOnExpensiveNetworks: Bool
  /// The bounds of a part, in bytes. The simulation sets smaller ones, because its files are small.
  package var partBytes: ClosedRange<Int64> = 64 << 10...4 << 20

  /// Raises `maximumTransfers` and `bytesPerSecond` to 1 if they are smaller.
  public init(
    maximumTransfers: Int = 4, bytesPerSecond: Int64? = nil, uploadsOnExpensiveNetworks: Bool = false
  ) {
    self.maximumTransfers = max(maximumTransfers, 1)
    self.bytesPerSecond = bytesPerSecond.map { max($0, 1) }
    self.uploadsOnExpensiveNetworks = uploadsOnExpensiveNetworks
  }
}
