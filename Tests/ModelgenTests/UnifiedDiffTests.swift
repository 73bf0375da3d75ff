// The diff of `modelgen fix --dry-run`, held against git.
import ModelSchema
import TestSupport
import Testing

@testable import modelgen

@Suite struct UnifiedDiffTests {
  private static func diff(_ old: String, _ new: String) -> String {
    UnifiedDiff.text(
      from: SourceFile(path: "Schemas/a.yaml", bytes: Array(old.utf8)),
      to: SourceFile(path: "Schemas/a.yaml", bytes: Array(new.utf8)))
  }

  @Test(arguments: [
    ("a\n", "a\n", nil),
    ("a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"),
    ("a\nb\n", "a\nc\nb\n", "@@ -1,2 +1,3 @@\n a\n+c\n b\n"),
    (
      "a\r\nb", "a\r\nb\r\nc",
      "@@ -1,2 +1,3 @@\n a\r\n-b\n\\ No newline at end of file\n+b\r\n+c\n\\ No newline at end of file\n"
    ),
    ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
    ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
    (
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nV\n6\n7\n8\n9\n",
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+V\n 6\n 7\n 8\n"
    ),
    (
      "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
      "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"
    ),
  ])
  func diffIsThatOfPatch(old: String, new: String, hunks: String?) {
    #expect(Self.diff(old, new) == (hunks.map { "--- a/Schemas/a.yaml\n+++ b/Schemas/a.yaml\n" + $0 } ?? ""))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>) func gitAppliesIt(seed: UInt64) throws {
    guard let git = try Program.find("git") else { return }
    var random = SeededRandom(seed: seed)
    let folder = try TemporaryFolder()
    for round in 0..<6 {
      let end = random.pick(["\n", "\r\n"])
      let lines = (0..<(1 + random.below(40))).map { _ in "line \(random.below(9))" }
      var changed = lines
      for _ in 0..<(1 + random.below(4)) {
        let place = random.below(changed.count)
        if random.chance(40) { changed[place] += "!" } else { changed.insert("new \(place)", at: place) }
      }
      let tail = random.pick(["", end])
      let (old, new) = (lines.joined(separator: end) + tail, changed.joined(separator: end) + tail)
      try folder.write("Schemas/a.yaml", old)
      try folder.write("a.diff", Self.diff(old, new))
      let outcome = try git.run(["apply", "a.diff"], in: folder.url)
      #expect(outcome.status == 0, "seed \(seed), round \(round): \(outcome.text)")
      #expect(try folder.read("Schemas/a.yaml") == new, "seed \(seed), round \(round)")
    }
  }
}
