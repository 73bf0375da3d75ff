// Files that are too large, too damaged or too strange: one clear diagnostic, at once.

import ModelSchema
import Testing

@Suite struct LimitTests {
  private static func rules(_ bytes: [UInt8]) -> [String] {
    let files = SchemaFolder.texts([:]) + [SourceFile(path: "item.yaml", bytes: bytes)]
    return SchemaReader.read(files).diagnostics.map(\.rule)
  }

  @Test func tenMegabytes() {
    #expect(Self.rules([UInt8](repeating: 0x61, count: 10 << 20)) == ["file-too-large"])
  }

  @Test(
    arguments: [
      ([], "empty-file"), ([0xEF, 0xBB, 0xBF], "empty-file"), ([0xFF, 0xFE, 0x61, 0], "not-utf8"),
      ([0x61, 0, 0x62, 0], "not-utf8"), ([0x61, 0x3A, 0x20, 0], "control-character"), ([0xC0, 0x80], "not-utf8"),
      ([0xED, 0xA0, 0x80], "not-utf8"), ([0xF4, 0x90, 0x80, 0x80], "not-utf8"), ([0xE2, 0x82], "not-utf8"),
    ] as [([UInt8], String)])
  func strangeBytes(bytes: [UInt8], rule: String) {
    #expect(Self.rules(bytes) == [rule])
  }

  @Test func deepNesting() {
    #expect(Self.rules([UInt8](repeating: 0x5B, count: 500_000)).contains("too-deep"))
  }

  @Test func noFiles() {
    #expect(SchemaReader.read([]).diagnostics.map(\.rule) == ["missing-config"])
  }
}
