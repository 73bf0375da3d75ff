// The place of a file: its queue and its hash.

public import WireFormat

/// A file inside one queue. The same bytes in another queue are another file.
public struct FileKey: Hashable, Sendable, Comparable {
  /// The queue's id; 16 zero bytes for objects that never leave the device.
  public var queue: QueueID
  /// The SHA-256 of the file's bytes.
  public var hash: ContentHash

  /// For a transport that keeps files by their keys, and for tests.
  public init(queue: QueueID, hash: ContentHash) {
    self.queue = queue
    self.hash = hash
  }

  /// By queue, then by hash.
  public static func < (left: Self, right: Self) -> Bool {
    (left.queue, left.hash) < (right.queue, right.hash)
  }
}
