// A fixture of a change: the schemas of releases and of today in one text.

public import Foundation
public import ModelSchema

/// A text with files of releases, `=== 1.0/item.yaml`, of today, `=== now/item.yaml`, and what is expected.
public struct ChangeFixture {
  /// By release; `now` are those of today.
  public private(set) var files: [String: [SourceFile]] = [:]
  /// Ascending.
  public private(set) var releases: [String] = []
  /// The text up to what is expected.
  public private(set) var input = ""

  public struct Mistake: Error {
    public var reason: String
  }

  /// The names of the fixtures in a folder, sorted.
  public static func rules(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
      .map { String($0.dropLast(".txt".count)) }.sorted()
  }

  public init(_ url: URL) throws {
    let text = try String(contentsOf: url, encoding: .utf8)
    guard let end = text.range(of: "=== expected\n") else { throw Mistake(reason: "`=== expected` is missing") }
    input = String(text[..<end.upperBound])
    for section in input.components(separatedBy: "=== ").dropFirst() {
      let lines = section.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let name = lines[0].split(separator: "/").map(String.init)
      guard name.count == 2 else { break }
      files[name[0], default: []].append(SourceFile(path: name[1], bytes: Array(lines[1].utf8)))
    }
    releases = files.keys.compactMap { ReleaseVersion($0) }.sorted().map(\.description)
    for release in files.keys where !(files[release] ?? []).contains(where: { $0.path == "modelgen.yaml" }) {
      files[release]?.append(SourceFile(path: "modelgen.yaml", bytes: Array("schema: Fixture\n".utf8)))
    }
  }

  /// The schema of a release, or of `now`, and its files.
  public func schema(_ release: String) throws -> (Schema, [SourceFile]) {
    let files = files[release] ?? []
    let result = SchemaReader.read(files)
    guard let schema = result.schema else {
      throw Mistake(reason: DiagnosticRenderer(sources: files, colour: false).text(result.diagnostics))
    }
    return (schema, files)
  }
}
