// Diagnostics as people and programs see them.

import Foundation
import ModelSchema
import Testing

@Suite struct RendererTests {
  private static func render(_ line: String, column: Int, end: Int, colour: Bool = false) -> String {
    let range = SourceRange(
      file: "a.yaml", start: SourcePosition(line: 1, column: column), end: SourcePosition(line: 1, column: end))
    let diagnostic = Diagnostic(severity: .error, rule: "tab", message: "Wrong.", location: range)
    let source = SourceFile(path: "a.yaml", bytes: Array(line.utf8))
    return DiagnosticRenderer(sources: [source], colour: colour).text([diagnostic])
  }

  @Test(arguments: [
    ("name: x", 7, "  1 | name: x\n    |       ^"),
    ("日本: x", 5, "  1 | 日本: x\n    |       ^"),
    ("\tx", 2, "  1 |   x\n    |   ^"),
    ("e\u{301}: x", 5, "  1 | e\u{301}: x\n    |    ^"),
    ("\u{202E}x", 2, "  1 | \\u{202E}x\n    |         ^"),
    ("\u{1B}[31mx", 6, "  1 | \\u{1B}[31mx\n    |           ^"),
  ]) func caretsStandUnderTheToken(line: String, column: Int, expected: String) {
    #expect(Self.render(line, column: column, end: column + 1).contains(expected + "\n"))
  }

  @Test func rendersColourOnlyOnRequest() {
    #expect(Self.render("x", column: 1, end: 2, colour: true).contains("\u{1B}[1;31merror:"))
    #expect(!Self.render("x", column: 1, end: 2).contains("\u{1B}"))
  }

  @Test func json() throws {
    let files = SchemaFolder.texts(["item.yaml": "model: item\nqueue: self\nfields: { \"n\\n\": string = 1 }\n"])
    let result = SchemaReader.read(files)
    let text = DiagnosticRenderer(sources: files, colour: false).json(result.diagnostics)
    let objects = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(objects.count == 1)
    #expect(objects[0]["rule"] as? String == "invalid-name")
    #expect(objects[0]["message"] as? String == result.diagnostics[0].message)
    #expect(objects[0]["line"] as? Int == 3)
  }

  @Test func gitHubCommandsStayOnOneLine() {
    let range = SourceRange(
      file: "a,b:c.yaml", start: SourcePosition(line: 3, column: 4), end: SourcePosition(line: 3, column: 6))
    let diagnostic = Diagnostic(severity: .warning, rule: "tab", message: "50%\nmore", location: range)
    #expect(
      DiagnosticRenderer(sources: [], colour: false).github([diagnostic])
        == "::warning file=a%2Cb%3Ac.yaml,line=3,endLine=3,col=4,endColumn=6,title=tab::50%25%0Amore\n")
  }

  @Test func diagnosticOfWholeFileHasNoLine() {
    let diagnostic = Diagnostic(severity: .error, rule: "r", message: "Is locked.", location: .whole("a.yaml"))
    let source = SourceFile(path: "a.yaml", bytes: Array("model: a\n".utf8))
    let renderer = DiagnosticRenderer(sources: [source], colour: false)
    #expect(renderer.text([diagnostic]) == "a.yaml: error: Is locked. [r]\n\n1 error\n")
    #expect(renderer.github([diagnostic]) == "::error file=a.yaml,title=r::Is locked.\n")
    #expect(
      renderer.json([diagnostic])
        == #"[\#n  {"severity": "error", "rule": "r", "message": "Is locked.", "file": "a.yaml"}\#n]\#n"#)
  }
}
