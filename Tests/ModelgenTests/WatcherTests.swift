// `--watch`: which looks at the files lead to a run, and one session with the real program, which waits for its lines.
import Foundation
import TestSupport
import Testing

@testable import modelgen

@Suite struct WatcherTests {
  private static func stamp(_ size: Int, at time: Int = 0, number: UInt64 = 1) -> FileStamp {
    FileStamp(size: size, modified: time, number: number)
  }

  private static let start = ["note.yaml": stamp(1), "modelgen.yaml": stamp(2)]

  /// The decisions for looks after the first, which is `start`.
  private static func decisions(_ looks: [[String: FileStamp]]) -> [Watcher.Decision] {
    var watcher = Watcher()
    #expect(watcher.look(start) == .run(changed: []))
    return looks.map { watcher.look($0) }
  }

  private static func changing(_ changes: [String: FileStamp?]) -> [String: FileStamp] {
    changes.reduce(into: start) { $0[$1.key] = $1.value }
  }

  @Test func unchangedFilesWait() {
    #expect(Self.decisions([Self.start, Self.start]) == [.wait, .wait])
  }

  @Test func changeThatTwoLooksAgreeOnRunsOnce() {
    for changed in [Self.stamp(3), Self.stamp(1, at: 1), Self.stamp(1, number: 2)] {
      let now = Self.changing(["note.yaml": changed])
      #expect(Self.decisions([now, now, now]) == [.wait, .run(changed: ["note.yaml"]), .wait])
    }
  }

  @Test func newAndRemovedFilesAreNamedInOrder() {
    let now = Self.changing(["note.yaml": nil, "album.yaml": Self.stamp(9), "modelgen.yaml": Self.stamp(5)])
    let run = Watcher.Decision.run(changed: ["album.yaml", "modelgen.yaml", "note.yaml"])
    #expect(Self.decisions([now, now]) == [.wait, run])
  }

  @Test func fileThatVanishesForAMomentIsSeenWhenItIsBack() {
    let away = Self.changing(["note.yaml": nil])
    let saved = Self.changing(["note.yaml": Self.stamp(1, number: 7)])
    let looks = Self.decisions([away, saved, saved, saved])
    #expect(looks == [.wait, .wait, .run(changed: ["note.yaml"]), .wait])
    #expect(Self.decisions([away, Self.start, Self.start]) == [.wait, .wait, .wait])
  }

  @Test func fileThatStaysAwayRuns() {
    let away = Self.changing(["note.yaml": nil])
    #expect(Self.decisions([away, away]) == [.wait, .run(changed: ["note.yaml"])])
    #expect(Self.decisions([[:], [:]]) == [.wait, .run(changed: ["modelgen.yaml", "note.yaml"])])
  }

  @Test func filesThatNeverSettleRunAfterSomeLooks() {
    let looks = (1...(Watcher.mostUnsettledLooks + 2)).map { Self.changing(["note.yaml": Self.stamp(9, at: $0)]) }
    let decisions = Self.decisions(looks)
    #expect(decisions.dropLast(2).allSatisfy { $0 == .wait })
    #expect(decisions.suffix(2) == [.run(changed: ["note.yaml"]), .wait])
  }

  @Test func changeDuringARunIsFoundByTheNextLook() {
    var watcher = Watcher()
    _ = watcher.look(Self.start)
    let first = Self.changing(["note.yaml": Self.stamp(3)])
    let second = Self.changing(["note.yaml": Self.stamp(4)])
    #expect([first, first, second, second].map { watcher.look($0) }.filter { $0 != .wait }.count == 2)
  }
}

@Suite struct WatchTests {
  @Test func generatesAfterEachChangeAndSurvivesMistakes() throws {
    let folder = try TemporaryFolder.started()
    let program = try Program.modelgen().talk(["generate", "--watch"], in: folder.url)
    #expect(program.line() == "Watching Schemas. Ctrl-C ends it.")
    #expect(program.line() == "Generated: 5 files written, 0 unchanged, 0 removed.")
    try folder.writeModel("book", fields: "title: strin = 1")
    #expect(program.line() == "book.yaml: Waiting for the next change.")
    #expect(try program.errors().contains("Schemas/book.yaml:3:18: error: There is no type `strin`."))
    // As editors save: the new file takes the place of the old one.
    try folder.write("Schemas/.book.swp", "model: book\nqueue: self\nfields: { title: string = 1 }\n")
    #expect(rename(folder.url("Schemas/.book.swp").path, folder.url("Schemas/book.yaml").path) == 0)
    #expect(program.line() == "book.yaml: Generated: 4 files written, 2 unchanged, 0 removed.")
    _ = try folder.run("release", "1.0")
    #expect(program.line() == "modelgen.lock: Generated: 1 file written, 5 unchanged, 0 removed.")
    // As Ctrl-C, which a test that runs in the background of a shell would ignore.
    program.signal(SIGTERM)
    #expect(program.wait() == -SIGTERM)
    #expect(program.line() == nil)
  }

  @Test func lintWatchesToo() throws {
    let folder = try TemporaryFolder.started()
    let program = try Program.modelgen().talk(["lint", "--watch"], in: folder.url)
    #expect(program.line() == "Watching Schemas. Ctrl-C ends it.")
    #expect(program.line() == "No mistakes in 1 schema file.")
    program.signal(SIGTERM)
    #expect(program.wait() == -SIGTERM)
  }

  @Test(arguments: [
    ["generate", "Nowhere", "--watch"], ["generate", "--watch", "--check"], ["lint", "--watch", "--format", "json"],
  ])
  func endsAtOnceWhereThereIsNothingToWaitFor(arguments: [String]) throws {
    let folder = try TemporaryFolder.started()
    let outcome = try Program.modelgen().run(arguments, in: folder.url)
    #expect(outcome.status == (arguments.contains("Nowhere") ? 3 : 2) && outcome.output == "")
  }
}
