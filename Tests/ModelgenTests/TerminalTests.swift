// Colour and progress are shown to a person at a terminal, and to nobody else.
import Foundation
import TestSupport
import Testing

@testable import modelgen

@Suite struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try .started() }

  /// Writes so many files that progress is shown.
  private func writeMany() throws {
    for number in 0..<Progress.manyFiles { try folder.writeModel("model\(number)") }
  }

  private func onTerminal(_ arguments: String..., environment: [String: String] = [:]) throws -> Program.Outcome {
    // The machine that runs the tests may say that its terminal can do nothing, or that nobody wants colour.
    let usual = ["TERM": "xterm", "NO_COLOR": ""]
    return try Program.modelgen().runOnTerminal(
      arguments, in: folder.url, environment: usual.merging(environment) { $1 })
  }

  @Test func aMistakeIsColouredOnATerminalOnly() throws {
    try folder.writeModel("book", fields: "title: strin = 1")
    let red = "\u{1B}[1;31merror:\u{1B}[0m"
    #expect(try onTerminal("lint").errors.contains(red))
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let outcome = try onTerminal("lint", environment: environment)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("Schemas/book.yaml:3:18: error: "))
      #expect(!outcome.errors.contains("\u{1B}"))
    }
    #expect(try !onTerminal("lint", "--format", "json").errors.contains("\u{1B}"))
    #expect(try !folder.run("lint").errors.contains("\u{1B}"))
  }

  @Test func longRunShowsProgress() throws {
    try writeMany()
    let outcome = try onTerminal("generate")
    #expect(outcome.status == 0)
    for step in ["Reading 128 of 202 files", "Checking 202 files", "Generating 201 files", "Writing 64 of "] {
      #expect(outcome.errors.contains("\r\u{1B}[K\(step)"))
    }
    // The last progress is cleared at the end.
    #expect(outcome.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test func showsNoProgressIfQuietOrNoTerminal() throws {
    try writeMany()
    #expect(try onTerminal("generate", "--quiet").errors.isEmpty)
    #expect(try onTerminal("generate", environment: ["TERM": "dumb"]).errors.isEmpty)
    #expect(try folder.run("generate").errors.isEmpty)
  }

  /// `/dev/full` behaves like a full disk.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func failsIfOutputCannotBeWritten() throws {
    let shell = try #require(try Program.find("sh"))
    let modelgen = try Program.modelgen().url.path
    let outcome = try shell.run(["-c", "'\(modelgen)' --help > /dev/full"], in: folder.url)
    #expect(outcome.status == 3)
    #expect(outcome.errors == "error: The output cannot be written: No space left on device.\n")
  }

  @Test func shortRunShowsNoProgress() throws {
    #expect(try onTerminal("generate").errors.isEmpty)
  }
}
