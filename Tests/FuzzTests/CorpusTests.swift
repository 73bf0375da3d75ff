// Runs the committed corpus of Fuzz/ through the fuzz targets, so that inputs that a fuzzer once found stay checked.
import Foundation
import FuzzTargets
import Testing

@Suite struct CorpusTests {
  static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz/Corpus")

  static let targets: [String: @Sendable (UnsafeRawBufferPointer) -> Void] = [
    "blob": fuzzBlob, "changes": fuzzChanges, "graphql": fuzzGraphQL, "merge": fuzzMerge, "messages": fuzzMessages,
    "schema": fuzzSchemaReader,
  ]

  /// A broken law traps and ends the whole test run, as it does under the fuzzer.
  @Test(arguments: targets.keys.sorted()) func everyCorpusFileKeepsLawsOfItsTarget(name: String) throws {
    let target = try #require(Self.targets[name])
    let folder = Self.corpus.appendingPathComponent(name)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    #expect(files.count >= 20, "\(name): a corpus as small as this shows nothing")
    for file in files {
      try Data(contentsOf: folder.appendingPathComponent(file)).withUnsafeBytes(target)
    }
  }
}
