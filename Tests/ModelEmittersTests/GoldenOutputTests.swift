// The committed output is what the emitters print today, byte for byte.
//
// Re-record: Scripts/generate
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct GoldenOutputTests {
  @Test(arguments: [("Schemas", "Generated"), ("Tests/TypeMatrix/Schemas", "Tests/TypeMatrix/Generated")])
  func committedOutputIsFresh(schemas: String, output: String) throws {
    let lock = (try? Data(contentsOf: Repository.url("\(schemas)/modelgen.lock"))).map { bytes in
      SchemaLock.read(SourceFile(path: "modelgen.lock", bytes: [UInt8](bytes))).lock
    }
    let result = SchemaReader.read(try sources(in: Repository.url(schemas)), lock: lock ?? nil)
    #expect(result.diagnostics.allSatisfy { $0.severity == .notice })
    let schema = try #require(result.schema)
    let files = Emitter.all.flatMap { $0.emit(schema) }
    for file in files {
      let committed = try? String(contentsOf: Repository.url("\(output)/\(file.path)"), encoding: .utf8)
      #expect(committed == file.contents, "\(output)/\(file.path) is stale: run Scripts/generate")
    }
    let expected = Set(files.map(\.path))
    let found = try FileManager.default.subpathsOfDirectory(atPath: Repository.url(output).path)
      .filter { path in [".swift", ".proto", ".graphql", ".json"].contains { path.hasSuffix($0) } }
    #expect(Set(found) == expected)
  }

  private func sources(in folder: URL) throws -> [SourceFile] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { SourceFile(path: $0, bytes: [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
  }
}
