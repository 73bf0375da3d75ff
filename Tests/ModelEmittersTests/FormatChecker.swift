// The formatter's own word on generated code: it would change nothing.

import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

enum FormatChecker {
  /// Records what `swift format` says against the Swift of `schema`.
  static func check(_ schema: Schema) throws {
    let folder = try TemporaryFolder()
    for file in Emitter.swift.emit(schema) { try folder.write(file.path, file.contents) }
    try check(folder)
  }

  /// Records what `swift format` says against the files of a folder, with the lines it means; without a formatter,
  /// nothing.
  static func check(_ folder: TemporaryFolder) throws {
    guard let swift = try Program.find("swift") else { return }
    let configuration = Repository.url(".swift-format").path
    let outcome = try swift.run(
      ["format", "lint", "--strict", "--parallel", "--recursive", "--configuration", configuration, "."],
      in: folder.url)
    let findings = outcome.text.split(separator: "\n")
    let shown = try findings.prefix(8).map { finding in
      let place = finding.split(separator: ":")
      let lines = try folder.read(String(place[0])).split(separator: "\n", omittingEmptySubsequences: false)
      return "\(finding)\n\(lines[(Int(place[1]) ?? 1) - 1])"
    }
    #expect(outcome.status == 0, "\(findings.count) findings; the first: \(shown.joined(separator: "\n"))")
  }
}
