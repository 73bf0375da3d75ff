// The documents that generated Swift sends are those of `operations.graphql`, word for word.

import Foundation
import ModelSupport
import MomentsModels
import TestSupport
import Testing
import TypeMatrix

@Suite struct DocumentTests {
  @Test(arguments: [
    ("Generated", MomentsSchema.self as any SchemaDescription.Type),
    ("Tests/TypeMatrix/Generated", TypeMatrixSchema.self),
  ])
  func documentsMatchOperationsFile(folder: String, schema: any SchemaDescription.Type) throws {
    let url = Repository.url("\(folder)/GraphQL/operations.graphql")
    let text = try String(contentsOf: url, encoding: .utf8)
    var names = ["Delta"]
    for model in schema.models {
      let (name, document) = Self.operation(of: model)
      guard text.contains("query \(name)(") else { continue }
      names.append(name)
      #expect(text.contains("\n\(document)\n"), "\(folder): \(name)")
    }
    #expect(text.matches(of: /query (\w+)/).map { String($0.1) } == names)
  }

  @Test func operationIsNamedByTheTypeOnTheWire() throws {
    #expect(Photo.deltaQuery.operationName == "ObjectsOfPhoto")
    #expect(MomentNotification.deltaQuery.operationName == "ObjectsOfNotification", "the name on the wire")
  }

  private static func operation<Object: Model>(of model: Object.Type) -> (name: String, document: String) {
    (DeltaQuery<Object>(of: MomentsSchema.self).operationName, DeltaQuery<Object>(of: MomentsSchema.self).document)
  }
}
