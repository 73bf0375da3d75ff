// `modelgen fix` and the disk: what it writes, and what it leaves alone.
import Foundation
import TestSupport
import Testing

@testable import modelgen

@Suite struct FixCommandTests {
  private let folder: TemporaryFolder
  private static let wrong = "model: note\nqueue: self\nfields: { title: strin = 1 }"
  private static let right = "model: note\nqueue: self\nfields: { title: string = 1 }"

  init() throws {
    folder = try .started()
    try folder.write("Schemas/note.yaml", Self.wrong)
  }

  @Test func writesTheFileAndNoOther() throws {
    try folder.write("Schemas/other.yaml", Self.right.replacing("note", with: "other"))
    let before = try folder.state(of: "Schemas")
    #expect(try folder.run("fix", "--dry-run").status == 0)
    #expect(try folder.state(of: "Schemas") == before)
    let outcome = try folder.run("fix")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(
      outcome.output
        == "Schemas/note.yaml:3:18: fixed: There is no type `strin`. [unknown-type]\n  written: string\nFixed 1 mistake in 1 file.\n"
    )
    let after = try folder.state(of: "Schemas")
    #expect(after.filter { $0.key != "note.yaml" } == before.filter { $0.key != "note.yaml" })
    #expect(try folder.read("Schemas/note.yaml") == Self.right)
    #expect(Set(after.keys) == Set(before.keys), "no temporary file is left")
    #expect(try folder.run("fix").output == "Nothing to fix in 3 schema files.\n")
    #expect(try folder.state(of: "Schemas") == after)
  }

  @Test(arguments: [0o600, 0o640, 0o755]) func keepsPermissions(mode: Int) throws {
    try folder.setPermissions(mode, of: "Schemas/note.yaml")
    #expect(try folder.run("fix").status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url("Schemas/note.yaml").path)
    #expect(attributes[.posixPermissions] as? Int == mode)
    #expect(try folder.read("Schemas/note.yaml") == Self.right)
  }

  @Test(.enabled(if: Program.keepsLocks)) func leavesALockedFile() throws {
    try folder.setPermissions(0o444, of: "Schemas/note.yaml")
    let outcome = try Program.modelgen().runWithoutPrivileges(["fix"], in: folder.url)
    #expect(outcome.status == 3 && outcome.errors.contains("Schemas/note.yaml: error: Permission denied"))
    #expect(try folder.read("Schemas/note.yaml") == Self.wrong)
  }

  /// With one file that must not be written, the others stay too.
  @Test func writesThroughNoLink() throws {
    try folder.write("Outside/card.yaml", Self.wrong.replacing("note", with: "card"))
    try folder.link("Schemas/card.yaml", to: "../Outside/card.yaml")
    let outcome = try folder.run("fix")
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("Schemas/card.yaml: error: Is a link, and modelgen never writes through a link"))
    #expect(try folder.read("Outside/card.yaml") == Self.wrong.replacing("note", with: "card"))
    #expect(try folder.read("Schemas/note.yaml") == Self.wrong)
  }

  @Test(arguments: ["longer than before, much longer than it was before, and longer still", "short"])
  func leavesAFileThatHasChanged(text: String) throws {
    let handle = try FolderHandle.open(folder.url("Schemas").path, creating: false)
    try handle.checkUnchanged("note.yaml", Array(Self.wrong.utf8))
    try folder.write("Schemas/note.yaml", text)
    let problem = try #require(throws: FileProblem.self) {
      try handle.checkUnchanged("note.yaml", Array(Self.wrong.utf8))
    }
    #expect(problem.rule == .cannotWrite && problem.reason == "has changed while it was being mended")
  }

  @Test func aDamagedLockStopsIt() throws {
    try folder.write("Schemas/modelgen.lock", "<<<<<<< HEAD\n")
    let outcome = try folder.run("fix")
    #expect(outcome.status == 1 && outcome.errors.contains("[lock-conflict]"))
    #expect(try folder.read("Schemas/note.yaml") == Self.wrong)
  }
}
