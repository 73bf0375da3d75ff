// A folder of a test's own.
public import Foundation

/// An empty folder that goes away with the value that holds it; paths are relative to it.
public final class TemporaryFolder {
  public let url: URL

  /// In the folder for temporary files, unless another one is named.
  public init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    url = folder.appending(path: "modelgen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public func url(_ path: String) -> URL { url.appending(path: path) }

  /// Writes a file, and makes the folders above it.
  public func write(_ path: String, _ text: String) throws {
    try write(path, bytes: Array(text.utf8))
  }

  public func write(_ path: String, bytes: [UInt8]) throws {
    let file = url(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  public func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
  }

  public func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: url(path))
  }

  /// Whether there is a file or a folder; a link counts as what it leads to.
  public func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  public func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: url(path).path, withDestinationPath: target)
  }

  public func setPermissions(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url(path).path)
  }

  /// The contents of a file, and when they were last changed.
  public struct FileState: Hashable {
    public var contents: Data
    public var changed: Date?
  }

  /// The state of every regular file below `folder`. Equal states mean that nothing was touched.
  public func state(of folder: String) throws -> [String: FileState] {
    let root = url(folder)
    var state: [String: FileState] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      let file = root.appending(path: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      state[path] = FileState(
        contents: try Data(contentsOf: file), changed: attributes[.modificationDate] as? Date)
    }
    return state
  }

  /// The contents of every regular file below `folder`. Equal contents mean that the same was written.
  public func contents(of folder: String) throws -> [String: Data] {
    try state(of: folder).mapValues(\.contents)
  }
}
