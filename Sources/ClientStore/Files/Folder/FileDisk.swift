// The disk of a store's files, as a protocol: the file system in an app, folders in memory in a simulation.

/// The calls that the store makes to a disk.
///
/// The store makes all paths from folders of the app, ids and hashes. Only a source may have another path, and it is
/// only read. Calls throw a `StoreError`: `diskFull`, `readOnly` or `inputOutput`.
package protocol FileDisk: Sendable {
  /// Nil if there is no such file.
  func state(of path: String) throws -> FileState?
  /// At most `count` bytes; fewer at the end of the file.
  func read(_ path: String, at offset: Int64, count: Int) throws -> [UInt8]
  /// Cuts a file off at `offset`, and appends bytes there. Creates the file if the offset is 0.
  func write(_ bytes: [UInt8], to path: String, at offset: Int64) throws
  /// Returns when the bytes of a file, or the names in a folder, survive a power cut.
  func sync(_ path: String) throws
  /// Renames a file inside a volume, and replaces a file that has the name.
  func rename(_ path: String, to other: String) throws
  /// Gives a file a second name. Does nothing if another file has that name.
  func link(_ path: String, to other: String) throws
  /// Removes a file. Does nothing if there is none.
  func remove(_ path: String) throws
  /// Sets the time at which a file was used last, in milliseconds since 1970.
  func touch(_ path: String, at time: Int64) throws
  /// Makes a folder, and those above it that are absent.
  func makeFolder(_ path: String) throws
  func removeFolder(_ path: String) throws
  /// The names in a folder, sorted; none where there is no such folder.
  func names(in folder: String) throws -> [String]
}

package struct FileState: Hashable, Sendable {
  /// In bytes.
  package var size: Int64
  /// When it was changed or used last, in milliseconds since 1970.
  package var time: Int64

  package init(size: Int64, time: Int64) {
    (self.size, self.time) = (size, time)
  }
}
