// The compiler checks generated code. It must find no error and no warning.
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

enum TypeChecker {
  /// Fails the test with the compiler's errors in the Swift of `schema`. Checks nothing without a compiler.
  static func check(_ schema: Schema, _ note: @autoclosure () -> String = "") throws {
    guard let swiftc = try Program.find("swiftc") else { return }
    let modules = try #require(Self.modules, "the modules of the build are not beside the tests")
    let folder = try TemporaryFolder()
    var names: [String] = []
    for file in Emitter.swift.emit(schema) {
      let name = String(file.path.split(separator: "/").last ?? "")
      try folder.write(name, file.contents)
      names.append(name)
    }
    // All files at once: one by one, each would load the modules again.
    let arguments = [
      "-typecheck", "-whole-module-optimization", "-swift-version", "6", "-warnings-as-errors", "-module-name",
      "Checked",
    ]
    let outcome = try swiftc.run(
      arguments + ["-I", modules.path] + moduleMaps(modules) + names, in: folder.url)
    let mistakes = outcome.text.split(separator: "\n").filter { $0.contains("error:") }
    #expect(outcome.status == 0, "\(note()) \(mistakes.count): \(mistakes.prefix(5).joined(separator: "\n"))")
  }

  /// The folder into which the build put `ModelSupport`, beside the test bundle.
  private static let modules: URL? = {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appending(path: "Modules")
      if FileManager.default.fileExists(atPath: candidate.appending(path: "ModelSupport.swiftmodule").path) {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// Arguments for the C modules that the runtime's modules import: those that were built, and GRDB's SQLite.
  private static func moduleMaps(_ modules: URL) throws -> [String] {
    // `.build/debug` is a link.
    let build = modules.deletingLastPathComponent().resolvingSymlinksInPath()
    let built = try FileManager.default.contentsOfDirectory(at: build, includingPropertiesForKeys: nil)
    var scratch = build
    while scratch.path != "/", !FileManager.default.fileExists(atPath: scratch.appending(path: "checkouts").path) {
      scratch.deleteLastPathComponent()
    }
    let sqlite = scratch.appending(path: "checkouts/GRDB.swift/Sources/GRDBSQLite")
    let zlib = Repository.url("Sources/CZlib")
    return (built + [sqlite, zlib]).map { $0.appending(path: "module.modulemap") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
      .sorted { $0.path < $1.path }.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
  }
}
