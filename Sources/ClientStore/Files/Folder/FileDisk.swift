// Where the bytes of files lie, as a value: the system's folders in an app, folders in memory in a simulation.

/// The calls that the store makes to a disk. Paths are made of folders of the app, ids and hashes; only a source that the app names is
/// another path, and it is only read.
///
/// Throws a `StoreError`: `diskFull`, `readOnly` or `inputOutput`.
package protocol FileDisk: Sendable {
  /// Nil where there is no such file.
  func state(of path: String) throws -> FileState?
  /// At most `count` bytes; fewer at the end of the file.
  func read(_ path: String, at offset: Int64, count: Int) throws -> [UInt8]
  /// Puts bytes behind the first `offset` ones, and cuts off what was there. Makes the file where the offset is 0.
  func write(_ bytes: [UInt8], to path: String, at offset: Int64) throws
  /// Returns when the bytes of a file, or the names in a folder, survive a power cut.
  func sync(_ path: String) throws
  /// Gives a file another name in the same volume, in the place of what has it.
  func rename(_ path: String, to other: String) throws
  /// Gives a file a second name; what has that name stays.
  func link(_ path: String, to other: String) throws
  /// No error where there is no such file.
  func remove(_ path: String) throws
  /// Notes that a file was used at a time, in milliseconds since 1970.
  func touch(_ path: String, at time: Int64) throws
  /// Makes a folder and those above it, as far as they are absent.
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
