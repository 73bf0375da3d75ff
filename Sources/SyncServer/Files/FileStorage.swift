// The storage of the bytes of files, complete or still being uploaded.

package import SyncProtocol
package import WireFormat

/// Stores the bytes of files. Its calls may wait for a disk, so they come only from threads that may block.
///
/// A *part* is the bytes of an unfinished upload. `finish` makes it the file, atomically.
package protocol FileStorage: Sendable {
  /// How many bytes of an upload have arrived; nil if there is no part.
  func partSize(of place: FileKey) throws -> Int64?
  /// Adds bytes to a part at `offset`, which is its end. Offset 0 makes the part.
  func append(_ bytes: [UInt8], to place: FileKey, at offset: Int64) throws
  /// Called once a request that has added bytes ends: from now on they survive the end of this server, and another one
  /// that shares the storage can go on with them.
  func pause(_ place: FileKey) throws
  /// Reads bytes of a part.
  func readPart(of place: FileKey, at offset: Int64, count: Int) throws -> [UInt8]
  /// Makes the part the file, which survives a power cut when this returns.
  func finish(_ place: FileKey) throws
  /// Removes the part.
  func discardPart(of place: FileKey) throws

  /// The size of a complete file in bytes; nil if there is none.
  func size(of place: FileKey) throws -> Int64?
  /// Reads bytes of a complete file; nil if there is none.
  func read(_ place: FileKey, at offset: Int64, count: Int) throws -> [UInt8]?
  func remove(_ place: FileKey) throws
  /// Copies a complete file to another place, atomically, and without reading its bytes if the storage can. The copy
  /// survives a power cut when this returns, and neither file depends on the other. Returns false if there is no file
  /// to copy. A file that is at the target already has the same bytes, so this succeeds.
  func copy(from source: FileKey, to target: FileKey) throws -> Bool

  /// How many bytes are best read at once.
  var chunk: Int { get }

  /// The queues that have files or parts, and perhaps others.
  func queues() throws -> [QueueID]
  /// Removes parts of a queue that have not grown since a time.
  func removeParts(of queue: QueueID, before time: Timestamp) throws
}

extension FileStorage {
  package func pause(_: FileKey) {}
  package var chunk: Int { 1 << 17 }
}
