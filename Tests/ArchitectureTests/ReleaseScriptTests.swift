// `Scripts/release` in a small repository, in which generating takes no time.
import Foundation
import TestSupport
import Testing

@Suite struct ReleaseScriptTests {
  private let folder: TemporaryFolder

  /// A repository on `main` with the tag 0.1.0, and a section for 0.2.0.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write("Scripts/release", String(contentsOf: Repository.url("Scripts/release"), encoding: .utf8))
    try folder.write("Scripts/generate", "#!/bin/bash\ncp VERSION generated\n")
    try folder.write("Scripts/test", "#!/bin/bash\n! grep -q broken CHANGELOG.md\n")
    for script in ["release", "generate", "test"] { try folder.setPermissions(0o755, of: "Scripts/\(script)") }
    try folder.write("VERSION", "0.1.0\n")
    try folder.write("generated", "0.1.0\n")
    try folder.write("README.md", "from: \"0.1.0\", not 10.1.0 or 0.1.01\n")
    try folder.write("CHANGELOG.md", "# Changelog\n\n## [Unreleased] 0.2.0: more\n\n## 0.1.0 — 2026-01-01\n")
    try git("init", "--quiet", "--initial-branch=main")
    try git("config", "user.name", "Anna")
    try git("config", "user.email", "anna@example.com")
    try commit()
    try git("tag", "0.1.0")
  }

  @Test func releases() throws {
    let dry = try release("--dry-run", "0.2.0")
    #expect(dry.status == 0, "\(dry.text)")
    #expect(try git("tag", "--list") == "0.1.0\n")
    #expect(try folder.read("VERSION") == "0.1.0\n")

    let real = try release("0.2.0")
    #expect(real.status == 0, "\(real.text)")
    #expect(try git("status", "--porcelain", "--untracked-files=no") == "")
    #expect(try git("cat-file", "-t", "0.2.0") == "tag\n")
    #expect(try git("rev-parse", "0.2.0^{commit}") == git("rev-parse", "main"))
    #expect(try folder.read("VERSION") == "0.2.0\n")
    #expect(try folder.read("generated") == "0.2.0\n")
    #expect(try folder.read("README.md") == "from: \"0.2.0\", not 10.1.0 or 0.1.01\n")
    #expect(try folder.read("CHANGELOG.md").contains(/\n## 0\.2\.0 — [0-9]{4}-[0-9]{2}-[0-9]{2}: more\n/))
    #expect(folder.exists(".build/modelgen-0.2.0.tar.gz"))
    // The two runs made the same commit, tag and archive.
    let sum = try #require(dry.output.firstMatch(of: /SHA-256 .*/)).output
    #expect(real.output.contains(sum))
  }

  @Test func leavesNothingBehindWhereTheTestsFail() throws {
    try folder.write("CHANGELOG.md", "## [Unreleased] 0.2.0: broken\n")
    try commit()
    #expect(try release("0.2.0").status != 0)
    #expect(try git("tag", "--list") == "0.1.0\n")
    #expect(try folder.read("VERSION") == "0.1.0\n")
  }

  @Test(arguments: [
    ([], "which version?"), (["0.2"], "'0.2' is no version"), (["v0.2.0"], "'v0.2.0' is no version"),
    (["0.02.0"], "'0.02.0' is no version"), (["0.2.0", "0.3.0"], "one version, not '0.2.0' and '0.3.0'"),
    (["--now", "0.2.0"], "there is no option '--now'"), (["0.1.0"], "there is a tag 0.1.0 already"),
    (["0.0.9"], "0.0.9 is not greater than 0.1.0, the newest tag"),
    (["0.10.0"], "CHANGELOG.md has no heading '## [Unreleased] 0.10.0'"),
  ])
  func refusesWrongArguments(arguments: [String], message: String) throws {
    try expectError(message, from: arguments)
  }

  @Test func refusesChangesThatAreNotCommitted() throws {
    try folder.write("README.md", "changed\n")
    try expectError(
      "there are changes that are not committed; commit or stash them first:\n M README.md",
      from: ["0.2.0"])
  }

  @Test func refusesAnotherBranch() throws {
    try git("checkout", "--quiet", "-b", "side")
    try expectError("releases are made on main, and this is side", from: ["0.2.0"])
  }

  @Test func refusesLessThanVersionSays() throws {
    try folder.write("VERSION", "0.3.0\n")
    try commit()
    try expectError("0.2.0 is less than 0.3.0, which VERSION says", from: ["0.2.0"])
  }

  private func expectError(_ message: String, from arguments: [String]) throws {
    let outcome = try release(arguments)
    #expect(outcome.status != 0)
    #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome.text)")
    #expect(try git("tag", "--list") == "0.1.0\n")
  }

  private func release(_ arguments: String...) throws -> Program.Outcome { try release(arguments) }

  private func release(_ arguments: [String]) throws -> Program.Outcome {
    try Program(url: folder.url("Scripts/release")).run(arguments, in: folder.url)
  }

  private func commit() throws {
    try git("add", "--all")
    try git("commit", "--quiet", "--message", "A change")
  }

  @discardableResult private func git(_ arguments: String...) throws -> String {
    let git = try #require(try Program.find("git"))
    let outcome = try git.run(arguments, in: folder.url)
    #expect(outcome.status == 0, "\(outcome.text)")
    return outcome.output
  }
}
