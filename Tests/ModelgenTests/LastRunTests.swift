// A run of `generate` that would change nothing: what it is spared, and what it notices all the same.
import Foundation
import TestSupport
import Testing

@testable import modelgen

@Suite struct LastRunTests {
  private static let record = "Generated/.modelgen-cache/last-run"
  private static let manifest = "Generated/.modelgen-manifest"
  private static let model = "Generated/Swift/Model7.generated.swift"
  private let folder: TemporaryFolder

  /// A schema that was generated. It has so many files that a terminal shows the steps of a run.
  init() throws {
    folder = try .started()
    for number in 0..<Progress.manyFiles { try folder.writeModel("model\(number)") }
    _ = try folder.run("generate")
  }

  /// Whether a run that finds no mistake only reads.
  private func isSpared(_ arguments: String..., by program: Program? = nil) throws -> Bool {
    let program = try program ?? .modelgen()
    let outcome = try program.runOnTerminal(["generate"] + arguments, in: folder.url, environment: ["TERM": "xterm"])
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.errors.contains("Reading 128 of "))
    return !outcome.errors.contains("Checking ")
  }

  @Test func unchangedRunOnlyReads() throws {
    let state = try folder.state(of: "Generated")
    #expect(try isSpared())
    #expect(try folder.run("generate").output == "Generated: 0 files written, 205 unchanged, 0 removed.\n")
    #expect(try folder.run("generate", "--quiet").output == "")
    #expect(try folder.run("generate", "--format", "json").output == "[]\n")
    #expect(try folder.state(of: "Generated") == state)
    #expect(try folder.read("Generated/.modelgen-cache/.gitignore") == "*\n")
  }

  private static let changes: [String: @Sendable (TemporaryFolder) throws -> Void] = [
    "a byte of a schema file": { try $0.writeModel("model7", fields: "titel: string = 1") },
    "a new schema file": { try $0.writeModel("book") },
    "a schema file that is gone": { try $0.remove("Schemas/model7.yaml") },
    "the configuration": { try $0.append("\n", to: "Schemas/modelgen.yaml") },
    "a release": { _ = try $0.run("release", "1.0") },
    "a generated file": { try $0.append(" ", to: model) },
    "a generated file that is gone": { try $0.remove(model) },
    "a manifest that names another file": { try $0.append("swift Other\n", to: manifest) },
    "a merge of the manifest": { try $0.append("<<<<<<< HEAD\n=======\n>>>>>>> other\n", to: manifest) },
    "a manifest that is gone": { try $0.remove(manifest) },
    "a record that is gone": { try $0.remove("Generated/.modelgen-cache") },
    "a record of nothing": { try $0.write(record, "") },
    "a record that says something else": { try $0.append("!", to: record) },
    "a record of other outputs": { folder in
      let text = try folder.read(record)
      try folder.write(record, String(text.prefix(33)) + "x" + text.dropFirst(34))
    },
  ]

  @Test(arguments: changes.keys.sorted())
  func noticesChange(name: String) throws {
    try Self.changes[name]?(folder)
    #expect(try !isSpared())
    #expect(try folder.run("generate", "--check").status == 0)
    #expect(try isSpared())
  }

  @Test func otherArgumentsAreAnotherRun() throws {
    #expect(try !isSpared("--only", "swift"))
    // Other kinds of output are not its own.
    try folder.remove("Generated/Proto")
    #expect(try isSpared("--only", "swift"))
    #expect(try !isSpared())
    #expect(folder.exists("Generated/Proto"))
    #expect(try !isSpared("--flat"))
    #expect(folder.exists("Generated/Model7.generated.swift"))
  }

  @Test func checkDoesEverything() throws {
    #expect(try !isSpared("--check"))
    #expect(try !isSpared("--check"))
  }

  @Test func saysWhatHasChangedSinceRelease() throws {
    _ = try folder.run("release", "1.0")
    try folder.writeModel("model7", fields: "title: string = 1, year: int32 = 2")
    _ = try folder.run("generate")
    #expect(try isSpared())
    let unchanged = "Generated: 0 files written, 205 unchanged, 0 removed.\n"
    #expect(
      try folder.run("generate").output
        == unchanged + "1 change since the release 1.0: `modelgen breaking` lists it.\n")
  }

  @Test func showsWarningInEachRun() throws {
    let operation = "operations: { pin: { parameters: { label: string }, set: { title: a } } }\n"
    try folder.append(operation, to: "Schemas/model7.yaml")
    for _ in 0..<2 { #expect(try folder.run("generate").errors.contains("warning: ")) }
  }

  @Test func reportsFolderInPlaceOfOutputFile() throws {
    try folder.remove(Self.model)
    try folder.write("\(Self.model)/keep", "")
    #expect(try folder.run("generate").errors.contains("Is a folder where a file should go"))
  }

  @Test func reportsManifestOfOtherSchema() throws {
    try folder.append("// Schema: Other\n", to: Self.manifest)
    #expect(try folder.run("generate").errors.contains("[other-schema]"))
  }

  /// A place for the record that cannot be used costs time, and nothing else.
  @Test(arguments: [true, false])
  func goesOnWithoutRecord(isLink: Bool) throws {
    try folder.remove("Generated/.modelgen-cache")
    try folder.write("Outside/last-run", "")
    if isLink {
      try folder.link("Generated/.modelgen-cache", to: "../Outside")
    } else {
      try folder.write("Generated/.modelgen-cache", "")
    }
    for _ in 0..<2 { #expect(try !isSpared()) }
    #expect(try folder.contents(of: "Outside") == ["last-run": Data()])
  }

  #if os(Linux)
    /// A byte behind its end changes nothing that the program does. (On macOS it would break its signature.)
    @Test func noticesToolThatWasBuiltAgain() throws {
      let tool = folder.url("modelgen")
      try FileManager.default.copyItem(at: Program.modelgen().url, to: tool)
      #expect(try isSpared(by: Program(url: tool)))
      try folder.append("\n", to: "modelgen")
      #expect(try !isSpared(by: Program(url: tool)))
      #expect(try isSpared(by: Program(url: tool)))
    }
  #endif
}

extension TemporaryFolder {
  fileprivate func append(_ text: String, to path: String) throws {
    let file = try FileHandle(forWritingTo: url(path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }
}
