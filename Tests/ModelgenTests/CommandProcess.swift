// Runs the built command as its users do, in a folder of its own.
import Foundation

/// An empty folder that goes away with the value that holds it.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "modelgen-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ path: String, _ text: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: path)), as: UTF8.self)
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url.appending(path: path).path)
  }

  func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url.appending(path: path).path, withDestinationPath: target)
  }

  /// Every file with its contents and its time of change: equal states mean that nothing was touched.
  func state(of folder: String) throws -> [String: String] {
    let root = url.appending(path: folder)
    var state: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      let file = root.appending(path: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      state[path] = "\(date) \(try Data(contentsOf: file).base64EncodedString())"
    }
    return state
  }

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs `modelgen` here and waits for it.
  func run(_ arguments: String...) throws -> Outcome {
    let process = Process()
    process.executableURL = try Self.executable()
    process.arguments = arguments
    process.currentDirectoryURL = url
    // Files, not pipes: a pipe that nobody empties would stop the process.
    let streams = try ["out", "err"].map { name in
      let file = url.appending(path: ".std\(name)")
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      return (file, try FileHandle(forWritingTo: file))
    }
    process.standardOutput = streams[0].1
    process.standardError = streams[1].1
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let texts = try streams.map { String(decoding: try Data(contentsOf: $0.0), as: UTF8.self) }
    return Outcome(status: process.terminationStatus, output: texts[0], errors: texts[1])
  }

  /// `modelgen` lies beside the test bundle.
  private static func executable() throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appending(path: "modelgen")
      if FileManager.default.isExecutableFile(atPath: candidate.path), !isFolder(candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    struct NotBuilt: Error {}
    throw NotBuilt()
  }

  private static func isFolder(_ url: URL) -> Bool {
    (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
  }
}
