// Twenty different mistakes in one folder give twenty diagnostics in one run, each at its place and by its rule.

import Foundation
import ModelSchema
import Testing

@Suite struct TwentyMistakesTests {
  @Test func findsEachMistakeAtItsPlace() throws {
    let files = try SchemaFolder.read("\(SchemaFolder.fixtures)/twenty-mistakes")
    let result = SchemaReader.read(files)
    let found = result.diagnostics.map {
      "\($0.location.file):\($0.location.start.line):\($0.location.start.column) \($0.rule)"
    }
    #expect(found == Self.expected)
    #expect(Set(result.diagnostics.map(\.rule)).count == 20)
    #expect(result.schema == nil)
  }

  @Test func suggestions() throws {
    let files = try SchemaFolder.read("\(SchemaFolder.fixtures)/twenty-mistakes")
    let suggested = SchemaReader.read(files).diagnostics.compactMap(\.replacement)
    for word in ["string", "photo", "badName", "title", "Test", "public", "day(takenAt 6h)"] {
      #expect(suggested.contains(word), "\(word)")
    }
  }

  @Test func orderOfFilesIsIrrelevant() throws {
    let files = try SchemaFolder.read("\(SchemaFolder.fixtures)/twenty-mistakes")
    #expect(SchemaReader.read(files).diagnostics == SchemaReader.read(files.reversed()).diagnostics)
  }

  private static let expected = [
    "album.yaml:5:10 unknown-type", "album.yaml:6:17 tag-range", "album.yaml:7:14 unknown-model",
    "album.yaml:8:10 optional-collection", "album.yaml:9:3 invalid-name", "album.yaml:10:3 reserved-name",
    "album.yaml:12:20 unknown-field", "modelgen.yaml:1:9 invalid-swift-name", "modelgen.yaml:2:9 config-value",
    "photo.yaml:6:26 duplicate-tag", "photo.yaml:6:38 default-type", "photo.yaml:7:14 set-element",
    "photo.yaml:10:24 condition-syntax", "photo.yaml:11:21 comma-in-braces", "photo.yaml:13:18 effect-target",
    "photo.yaml:14:53 fixed-field", "photo.yaml:15:27 unknown-parameter", "shared.yaml:2:25 enum-number",
    "shared.yaml:2:43 duplicate-enum-number", "shared.yaml:3:1 unknown-key",
  ]
}
