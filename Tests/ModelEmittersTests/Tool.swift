// The programs that judge generated code: the formatter, the compiler, protoc.
import Foundation
import Testing

/// A program of the machine. One that is missing is said aloud, and fails where `CI` is set.
struct Tool {
  struct Outcome {
    var status: Int32
    /// What it wrote to both of its outputs.
    var text: String
  }

  let url: URL

  static func find(_ name: String) -> Tool? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for folder in folders {
      let url = URL(fileURLWithPath: String(folder)).appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: url.path) { return Tool(url: url) }
    }
    let message = "\(name) is not installed: what it would check is not checked"
    print(message)
    if ProcessInfo.processInfo.environment["CI"] == "true" { Issue.record("\(message)") }
    return nil
  }

  func run(_ arguments: [String], in folder: URL) throws -> Outcome {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, text: String(decoding: bytes, as: UTF8.self))
  }
}

/// A folder of its own, gone after `body`.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelgen-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// The root of this repository, from the place of this file in it.
let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
