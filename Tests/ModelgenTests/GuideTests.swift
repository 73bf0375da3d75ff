// The guide to the command explains every kind of output, and everything that the command can report about files.
import Foundation
import ModelEmitters
import TestSupport
import Testing

@testable import modelgen

@Suite struct GuideTests {
  @Test func explainsEveryKindOfOutputAndEveryFileRule() throws {
    let guide = try String(contentsOf: Repository.url("docs/guides/command.md"), encoding: .utf8)
    let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "`")[1] }
    #expect(rows.map(String.init) == Emitter.all.map(\.name) + FileRule.allCases.map(\.rawValue))
    #expect(guide.contains("from \(Progress.manyFiles) files on"))
  }
}
