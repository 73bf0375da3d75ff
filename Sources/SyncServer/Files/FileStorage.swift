// Where the bytes of files lie: named by their hash, whole or on their way.

public import SyncProtocol
public import WireFormat

/// A place for bytes. Its calls may wait for a disk; they come from threads that may.
///
/// A *part* is what has come of an upload. It becomes the file by `finish`, at once or not at all.
public protocol FileStorage: Sendable {
  /// How much has come of an upload; nil where nothing has.
  func partSize(of place: FilePlace) throws -> Int64?
  /// Adds to an upload at its end; the first bytes begin it.
  func append(_ bytes: [UInt8], to place: FilePlace, at offset: Int64) throws
  /// Bytes of an upload that has not ended.
  func readPart(of place: FilePlace, at offset: Int64, count: Int) throws -> [UInt8]
  /// Survives a power cut when this returns.
  func finish(_ place: FilePlace) throws
  /// Forgets what has come.
  func discardPart(of place: FilePlace) throws

  /// The size of a whole file; nil where there is none.
  func size(of place: FilePlace) throws -> Int64?
  /// Nil where there is no whole file.
  func read(_ place: FilePlace, at offset: Int64, count: Int) throws -> [UInt8]?
  func remove(_ place: FilePlace) throws
  /// Makes a whole file stand in another place too, at once or not at all, where the storage keeps bytes without reading
  /// them; the file survives a power cut when this returns, and neither place depends on the other. False where there is
  /// no whole file to copy. A whole file that stands there already is left as it is: it has the same bytes.
  func copy(from source: FilePlace, to target: FilePlace) throws -> Bool

  /// Forgets uploads that have not gone on since a time.
  func removeParts(before time: Timestamp) throws
}
