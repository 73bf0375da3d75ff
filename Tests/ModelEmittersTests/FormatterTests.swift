// Generated Swift is what the formatter would have written, however long its names are.
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct FormatterTests {
  /// The longest name that a schema may have.
  static let longest = 64

  @Test func generatedCodeIsFormatted() throws {
    let folder = try TemporaryFolder()
    for length in 1...Self.longest {
      // The longer word moves the breaks by two characters: a few lengths, the longest among them, are enough.
      for access in length % 4 == 0 ? AccessLevel.allCases : [.public] {
        let schema = NamesOfEveryLength.schema(length: length, access: access)
        try write(Emitter.swift.emit(schema), to: folder.url("\(length)-\(access)"))
        let files = RichSchema.files(length: length, access: access, operations: RichSchema.everyEffect)
        let rich = SchemaReader.read(files)
        let operations = try #require(rich.schema, "\(length): \(rich.diagnostics.prefix(3))")
        try write(Emitter.swift.emit(operations), to: folder.url("operations-\(length)-\(access)"))
      }
    }
    try FormatChecker.check(folder)
  }

  private func write(_ files: [EmittedFile], to folder: URL) throws {
    for file in files {
      let url = folder.appendingPathComponent(file.path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.contents.utf8).write(to: url)
    }
    if let kept = ProcessInfo.processInfo.environment["MODELGEN_KEEP"] {
      let url = URL(fileURLWithPath: kept).appendingPathComponent(folder.lastPathComponent)
      try? FileManager.default.removeItem(at: url)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: folder, to: url)
    }
  }
}
