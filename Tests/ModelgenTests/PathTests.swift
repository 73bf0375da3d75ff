// Paths as texts.
import Testing

@testable import modelgen

@Suite struct PathTests {
  @Test(arguments: [
    ("Schemas/../Generated", "Generated"), ("a/./b//c/", "a/b/c"), ("", "."), ("a/..", "."), ("../../x", "../../x"),
    ("/a/../..", "/"), ("/x/", "/x"),
  ])
  func normalizes(_ path: String, _ expected: String) {
    #expect(normalized(path) == expected)
  }

  @Test(arguments: [
    ("/a/b", "/a", true), ("/a", "/a", true), ("/a/../a/b/", "/a/", true), ("/ab", "/a", false), ("/a", "/a/b", false),
    ("/a/b/../..", "/a", false), ("/x", "/", true),
  ])
  func tellsWhetherPathLiesInFolder(_ path: String, _ folder: String, _ expected: Bool) {
    #expect(lies(path, in: folder) == expected)
  }

  @Test(arguments: [
    ("Sources/App-2/x_y.z", "Sources/App-2/x_y.z"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"),
  ])
  func quotesForAShell(_ path: String, _ expected: String) {
    #expect(quoted(path) == expected)
  }
}
