// Every name that the reader accepts gives output that compiles: what would not is a diagnostic instead.
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct TrickyNamesTests {
  @Test(arguments: [false, true]) func generatedCodeOfTrickyNamesCompiles(nested: Bool) throws {
    let result = SchemaReader.read(nested ? TrickyNames.nestedTypes() : TrickyNames.models())
    let errors = result.diagnostics.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.prefix(5).map(\.message))")
    let schema = try #require(result.schema)
    try ProtoTests.accept(schema.proto(), "tricky names")
    guard let swiftc = try Program.find("swiftc") else { return }
    let modules = try #require(Self.modules, "the modules of the build are not beside the tests")
    let folder = try TemporaryFolder()
    var names: [String] = []
    for file in Emitter.swift.emit(schema) {
      let name = String(file.path.split(separator: "/").last ?? "")
      try folder.write(name, file.contents)
      names.append(name)
    }
    let arguments = ["-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-name", "Tricky"]
    let outcome = try swiftc.run(
      arguments + ["-I", modules.path] + Self.moduleMaps(modules) + names, in: folder.url)
    let mistakes = outcome.text.split(separator: "\n").filter { $0.contains("error:") }
    #expect(outcome.status == 0, "\(mistakes.prefix(5).joined(separator: "\n"))")
  }

  @Test func typesThatGeneratedCodeNamesAreAmbiguous() {
    let warnings = SchemaReader.read(TrickyNames.models()).diagnostics.filter { $0.rule == "name-ambiguous" }
    let names = warnings.compactMap { $0.message.split(separator: "`").first.map(String.init) }
    #expect(TrickyNames.typesOfOthers().subtracting(names) == [])
  }

  /// Where the build put `ModelRuntime`: beside the test bundle.
  private static let modules: URL? = {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appending(path: "Modules")
      if FileManager.default.fileExists(atPath: candidate.appending(path: "ModelRuntime.swiftmodule").path) {
        return candidate
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// The C modules that the runtime's own modules name.
  private static func moduleMaps(_ modules: URL) throws -> [String] {
    let build = modules.deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(at: build, includingPropertiesForKeys: nil)
      .map { $0.appending(path: "module.modulemap") }.filter { FileManager.default.fileExists(atPath: $0.path) }
      .sorted { $0.path < $1.path }.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
  }
}
