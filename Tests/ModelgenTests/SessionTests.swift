// Sessions of a person with the command, word for word. `RECORD_GOLDEN=1 swift test` records them again.
import Foundation
import TestSupport
import Testing

/// A step of a session. The steps run one after the other, in a folder that is empty at first.
private enum Step {
  case run(String)
  case write(String, String)
  case link(String, to: String)
  case remove(String)
  /// A command of the shell, such as git; its output is not recorded where it may differ between versions.
  case shell(String)
  /// Replaces a text in a file.
  case edit(String, String, String)
}

@Suite struct SessionTests {
  private static let sessions: [String: [Step]] = [
    "releases": releases, "branches": branches, "fix": fix, "retire": retire,
    // Links of the commit are followed, and what git leaves out of archives is read too.
    "commits": [
      .run("init --name App App/Schemas"), .run("breaking App/Schemas --against HEAD"), .shell("git init -q -b main ."),
      .run("breaking App/Schemas --against HEAD"), .shell("mkdir Shared && mv App/Schemas/note.yaml Shared"),
      .link("App/Schemas/note.yaml", to: "../../Shared/note.yaml"),
      .write("App/Schemas/.gitattributes", "*.yaml export-ignore\n"),
      .shell("git add -A App Shared && git commit -qm first && git branch 1.0"),
      .edit("Shared/note.yaml", "text:      string = 2", "text:      data = 2"),
      .run("breaking App/Schemas --against main"),
      .run("breaking App/Schemas --against 1.0"), .run("breaking App/Schemas --against main --format json"),
      .run("breaking App/Schemas --against --help"), .run("breaking App/Schemas --against $(touch)"),
      .edit("Shared/note.yaml", "data = 2", "strin = 2"), .shell("git commit -qam broken"),
      .edit("Shared/note.yaml", "strin = 2", "string = 2"), .run("breaking App/Schemas --against main"),
      .run("init Other"), .run("breaking Other --against main"),
    ],
    "help": [
      .run("--version"), .run(""), .run("--help"), .run("help generate"), .run("init --help"), .run("generate --help"),
      .run("lint --help"), .run("release --help"), .run("breaking --help"),
      .run("fix --help"), .run("retire --help"), .run("json-schema --help"), .run("doctor --help"),
    ],
    "first-steps": [
      .run("init"), .run("lint"), .run("generate --check"), .run("generate"), .run("generate"),
      .run("generate --check"),
      .run("generate --quiet"), .run("generate --only proto --output Proto"), .run("generate --flat --output Flat"),
      .run("lint --format json"), .run("lint --format github"),
    ],
    "init-again": [
      .run("init"), .run("init"), .run("init --name Journal Sources/App/Schemas"),
      .write("Old/photo.yaml", "model: photo\nqueue: self\nfields: { title: string = 1 }\n"), .run("init Old"),
      .run("lint Old"), .write("file", ""), .run("init file"), .run("init --name journal"),
    ],
    "wrong-arguments": [
      .run("frobnicate"), .run("Schemas"), .run("--nope"), .run("generate --nope"), .run("generate --only swift,proto"),
      .run("generate --format xml"), .run("generate --output"), .run("generate a b"), .run("init"),
      .run("generate --output Schemas"), .run("generate --output ./Schemas/../Schemas/Out"),
      .run("generate Schemas --output="),
    ],
    "wrong-folders": [
      .run("lint"), .run("generate"), .run("lint --format json"), .run("generate Nowhere --format github"),
      .write("Empty/readme.txt", ""), .run("lint Empty"), .run("init"), .run("lint Schemas/note.yaml"),
      .write("Schemas/old.yml", ""), .write("Schemas/folder.yaml/x", ""), .link("Schemas/gone.yaml", to: "nowhere"),
      .write("Schemas/Old/album.yaml", ""),
      .run("lint"), .run("generate --format json"), .run("lint --format github"),
    ],
    "schemas-of-a-target": [.run("init Sources/App/Schemas"), .run("lint"), .run("lint Sources/App/Schemas")],
    "mistakes": [
      .run("init"), .write("Schemas/book.yaml", "model: book\nqueue: self\nfields: { title: strin = 1 }\n"),
      .run("lint"), .run("generate"), .run("generate --check --format json"), .run("lint --format github"),
      .write("Schemas/book.yaml", "model: book\nqueue: self\nfields: { title: string = 1 }\n"),
      .write("Schemas/modelgen.yaml", "schema: App\noutput: Out\n"), .run("generate"),
    ],
    "output-in-the-way": [
      .run("init"), .write("Generated/Swift/Note.generated.swift", "struct Note {}\n"), .run("generate"),
      .run("generate --check --format json"), .run("generate --output Other"), .write("Elsewhere/keep", ""),
      .link("Link", to: "Elsewhere"), .run("generate --output Link"), .write("File", ""),
      .run("generate --output File"), .run("generate --output File/Deeper --format github"),
    ],
    "one-output": [
      .run("init --name Cards Cards"), .run("init --name Wallet Wallet"),
      .write("Wallet/card.yaml", "model: card\nqueue: self\nfields: { number: string = 1 }\n"),
      .run("generate Cards --output Out"), .run("generate Wallet --output Out"),
      .run("generate Wallet --output Out --check"), .run("generate Cards --output Out --check"),
      .remove("Out/.modelgen-manifest"), .run("generate Wallet --output Out --check"),
      .run("generate Wallet --output Out"), .run("generate Wallet --output Out --check"),
      .write("Wallet/old.YAML", "model: old\n"), .run("lint Wallet"),
    ],
    "merge": [
      .run("init"), .run("generate --quiet"),
      .write("Generated/.modelgen-manifest", SessionTests.conflict), .run("generate --check"), .run("generate"),
      .run("generate"), .write("Generated/.modelgen-manifest", "// Generated by modelgen\nswift ../x\nand\n"),
      .run("generate"), .run("generate --format json"), .write("Generated/.modelgen-manifest", "\u{0}garbage"),
      .run("generate"),
    ],
  ]

  /// A year of changes in one session: each step shows what a developer is told.
  private static let releases: [Step] = [
    .run("init"), .run("breaking"), .run("release one"), .run("release 1.0"), .run("release 1.0"), .run("breaking"),
    .edit("Schemas/note.yaml", "title:     string = 1", "headline:  string = 1"), .run("lint"),
    .edit("Schemas/note.yaml", "headline:  string = 1", "headline: { type: string = 1, was: title }"), .run("lint"),
    .edit("Schemas/note.yaml", "place:     string? = 4", "dueAt:     timestamp = 4"), .run("generate"),
    .edit("Schemas/note.yaml", "dueAt:     timestamp = 4", "dueAt:     timestamp? = 7"), .run("generate"),
    .edit("Schemas/note.yaml", "operations:", "reserved: { tags: [4], names: [place] }\noperations:"), .run("generate"),
    .run("breaking"), .run("breaking --format json"), .run("breaking --format github"), .run("release 1.1 --quiet"),
    .run("breaking"), .run("breaking --against 1.0"),
    .edit("Schemas/note.yaml", "dueAt:     timestamp? = 7", "dueAt:     timestamp? = 4"),
    .edit("Schemas/note.yaml", "reserved: { tags: [4], names: [place] }\n", ""), .run("lint"),
    .edit(
      "Schemas/modelgen.yaml", "access:",
      "waivers: [{ rule: field-moved, at: model note field 4, reason: Nobody has 1.1. }]\naccess:"),
    .run("lint"),
    .edit(
      "Schemas/modelgen.yaml", "waivers: [",
      "waivers: [{ rule: field-removed, at: model note field 7, reason: Nobody has 1.1. }, "),
    .run("lint"), .run("breaking"), .run("release 2"), .run("lint"),
    .write("Old/modelgen.yaml", "schema: App\n"),
    .write("Old/note.yaml", "model: note\nqueue: self\nfields: { title: string = 1 }\n"),
    .run("breaking --against Old"), .run("breaking --against Schemas/modelgen.lock"),
    .run("breaking --against nowhere"),
    .edit("Schemas/modelgen.lock", "type: bool", "type: string"), .run("lint"), .run("generate --check"),
  ]

  /// A field on its way out: in use, deprecated, released so, still in an app, and gone.
  private static let retire: [Step] = [
    .run("init --name Notes"), .run("retire note.place"),
    .shell(
      "echo '{\"date\":\"today\",\"day\":'$(($(date +%s) / 86400))',\"versions\":"
        + "[{\"schema\":\"Notes\",\"version\":\"1.0\",\"daysAgo\":8}]}' > versions.json"),
    .write("old.json", #"{"date":"2025-01-01","day":20089,"versions":[]}"#),
    .run("retire note.place --versions versions.json"), .run("release 1.0"),
    .run("retire note.place --versions versions.json"),
    .edit("Schemas/note.yaml", "place:     string? = 4", "place:     { type: string? = 4, deprecated: true }"),
    .run("retire note.place --versions versions.json"), .run("release 1.1"), .run("generate --quiet"),
    .run("retire note.place --versions versions.json"), .edit("versions.json", ":8", ":90"),
    .run("retire note.place --versions versions.json --dry-run"), .run("retire note.place --versions versions.json"),
    .run("retire note.place --versions versions.json"), .run("breaking"),
    .run("retire note --versions versions.json --days 0"), .run("retire note.place --versions Schemas/note.yaml"),
    .run("retire note.place --versions nowhere.json"), .run("retire note.place --versions old.json"),
    .remove("Schemas/modelgen.lock"), .run("generate"), .run("generate --check"),
  ]

  /// What is mended, what is asked, and what is left.
  private static let fix: [Step] = [
    .run("init"), .run("fix"), .run("fix --dry-run"), .run("release 1.0"),
    // Mistakes of every kind in one file.
    .edit("Schemas/note.yaml", "doc: A text that", "docs: A text that"),
    .edit("Schemas/note.yaml", "title:     string = 1", "title:     strin = 1"),
    .edit(
      "Schemas/note.yaml", "  place:     string? = 4", "  size:      int64        # in bytes\n  colour:    number = 4"),
    .edit("Schemas/note.yaml", "createdAt descending,", "createdAt desc, doc: The newest, first,"),
    .run("lint"), .run("fix --dry-run"), .run("fix"), .run("fix"),
    .edit("Schemas/note.yaml", "colour:    number = 4", "colour:    string? = 4"),
    .run("fix --quiet"), .run("fix --rename note.place=colour --format github"), .run("lint"),
    // Two branches gave one tag away, and a field was removed.
    .edit("Schemas/note.yaml", "  text:      string = 2\n", ""),
    .edit("Schemas/note.yaml", "  size: ", "  weight:    int64 = 6\n  size: "), .run("fix --format json"), .run("lint"),
    .shell("sed -n '/^fields/,/^# What a/p' Schemas/note.yaml"),
    // A file that is elsewhere, or locked away, is not written.
    .edit("Schemas/note.yaml", "int64 = 8", "itn64 = 8"), .shell("mv Schemas/note.yaml note.yaml"),
    .link("Schemas/note.yaml", to: "../note.yaml"), .run("fix"), .run("fix --dry-run"),
    .shell("rm Schemas/note.yaml && mv note.yaml Schemas"),
    .edit("Schemas/modelgen.lock", "type: bool", "type: string"), .run("fix"),
    .run("fix --rename due"), .run("fix --rename note.due=note.dueAt"), .run("fix --dry-run --format json"),
    .run("fix Nowhere"),
  ]

  /// Two branches from one commit: what git does, what the command says, and how it is mended.
  private static let branches: [Step] = [
    .run("init"), .run("release 1.0"), .shell("git init -q -b main . && git add Schemas && git commit -qm start"),
    .shell("git branch mine && git branch theirs && git branch renames && git branch other"),
    // Each adds a field, with the same tag. Git merges, because the places differ.
    .shell("git checkout -q mine"),
    .edit("Schemas/note.yaml", "  title:     string = 1", "  colour:    string = 7\n  title:     string = 1"),
    .shell("git commit -qam colour"),
    .shell("git checkout -q theirs"),
    .edit("Schemas/note.yaml", "  labels:", "  size:      int64 = 7\n  labels:"),
    .shell("git commit -qam size"), .shell("git merge -q mine -m both"), .run("lint"),
    .edit("Schemas/note.yaml", "int64 = 7", "int64 = 8"), .run("lint"), .shell("git commit -qam both"),
    // Each renames the same field. Git reports a conflict in the schema.
    .shell("git checkout -q renames"),
    .edit("Schemas/note.yaml", "text:      string = 2", "body: { type: string = 2, was: text }"),
    .shell("git commit -qam body"), .shell("git checkout -q other"),
    .edit("Schemas/note.yaml", "text:      string = 2", "content: { type: string = 2, was: text }"),
    .shell("git commit -qam content"), .shell("git merge -q renames >/dev/null || echo conflict; git diff --name-only"),
    .run("lint"), .shell("git checkout -q --theirs Schemas/note.yaml && git commit -qam names"), .run("lint"),
    // Each releases. Git reports a conflict in the lock.
    .shell("git checkout -q mine"), .run("release 1.1"), .shell("git commit -qam 1.1"),
    .shell("git checkout -q theirs"), .run("release 1.1"), .shell("git commit -qam 1.1"),
    .shell("git merge -q mine >/dev/null || echo conflict; git diff --name-only"), .run("lint"), .run("generate"),
    .shell("git checkout -q --ours Schemas/modelgen.lock && git commit -qam merged"), .run("lint"), .run("release 1.2"),
    .run("breaking --against main"), .run("breaking --against main --format github"),
  ]

  private static let conflict = """
    // Generated by modelgen: the files that it may remove from this folder. Commit it with them.
    proto Proto/app.proto
    <<<<<<< HEAD
    swift Swift/Mine.generated.swift
    =======
    swift Swift/Theirs.generated.swift
    >>>>>>> theirs
    swift Swift/Note.generated.swift

    """

  @Test(arguments: sessions.keys.sorted()) func sessionEqualsRecordedText(name: String) throws {
    let folder = try TemporaryFolder()
    let text = try Self.sessions[name, default: []].map { try Self.perform($0, in: folder) }.joined(separator: "\n")
    #expect(try Golden.text("Tests/ModelgenTests/Sessions/\(name).txt", recording: text) == text)
  }

  /// Runs a command of the shell with a git that knows no settings of this machine.
  private static func shell(_ line: String, in folder: TemporaryFolder) throws -> String {
    let settings = """
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CONFIG_NOSYSTEM=1
      export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
      """
    let outcome = try #require(try Program.find("bash")).run(["-c", settings + "\n" + line], in: folder.url)
    return outcome.output + outcome.errors
  }

  private static func perform(_ step: Step, in folder: TemporaryFolder) throws -> String {
    switch step {
    case .write(let path, let text):
      try folder.write(path, text)
      return "# \(path) has \(text.utf8.count) bytes now\n"
    case .link(let path, let target):
      try folder.link(path, to: target)
      return "# \(path) is a link to \(target) now\n"
    case .remove(let path):
      try FileManager.default.removeItem(at: folder.url(path))
      return "# \(path) is gone now\n"
    case .edit(let path, let old, let new):
      let text = try String(contentsOf: folder.url(path), encoding: .utf8)
      #expect(text.contains(old), "\(path) has the text to replace")
      try text.replacing(old, with: new).write(to: folder.url(path), atomically: true, encoding: .utf8)
      return "# \(path): `\(old)` is `\(new)` now\n"
    case .shell(let line):
      let output = try shell(line, in: folder)
      return "$ \(line)\n\(output)"
    case .run(let line):
      let arguments = line.split(separator: " ").map(String.init)
      let outcome = try Program.modelgen().run(arguments, in: folder.url)
      let errors = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).map { "! \($0)\n" }
      return "$ modelgen\(arguments.map { " " + $0 }.joined())\n\(outcome.output)" + (errors.dropLast().joined())
        + (outcome.status == 0 ? "" : "[status \(outcome.status)]\n")
    }
  }
}
