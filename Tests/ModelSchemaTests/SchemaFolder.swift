// Folders of schema files, for tests.

import Foundation
import ModelSchema
import TestSupport

enum SchemaFolder {
  static let fixtures = "Tests/ModelSchemaTests/Fixtures"

  /// `Schemas/` of this repository.
  static func repository() throws -> [SourceFile] {
    try read("Schemas")
  }

  /// The `.yaml` files of a folder of this repository, by name.
  static func read(_ folder: String) throws -> [SourceFile] {
    try FileManager.default.contentsOfDirectory(at: Repository.url(folder), includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "yaml" }
      .map { SourceFile(path: $0.lastPathComponent, bytes: Array(try Data(contentsOf: $0))) }
      .sorted { $0.path < $1.path }
  }

  /// The lock in a folder of this repository; nil where there is none.
  static func lock(_ folder: String) -> SourceFile? {
    (try? Data(contentsOf: Repository.url("\(folder)/modelgen.lock"))).map {
      SourceFile(path: "modelgen.lock", bytes: Array($0))
    }
  }

  /// Files from texts, with a `modelgen.yaml`.
  static func texts(_ texts: [String: String]) -> [SourceFile] {
    texts.merging(["modelgen.yaml": "schema: Test\n"]) { given, _ in given }
      .map { SourceFile(path: $0.key, bytes: Array($0.value.utf8)) }
      .sorted { $0.path < $1.path }
  }
}
