// The schemas of this repository, read as a user's would be.

import Foundation
import ModelSchema
import Testing

@Suite struct RealSchemaTests {
  @Test func readsWithoutADiagnostic() throws {
    let files = try SchemaFolder.repository()
    let result = SchemaReader.read(files)
    #expect(DiagnosticRenderer(sources: files, colour: false).text(result.diagnostics) == "")
    let schema = try #require(result.schema)
    #expect(schema.name == "Moments")
    #expect(schema.access == .public)
    #expect(schema.output == "../Generated")
    #expect(schema.files.map(\.stem) == ["looking", "member", "moment", "notification", "photo"])
  }

  @Test func photo() throws {
    let photo = try #require(try Self.schema().model(named: "photo"))
    #expect(photo.queue == .field("moment"))
    #expect(photo.identity == [FieldPath(["file", "hash"])])
    #expect(photo.newestBy == "takenAt")
    #expect(photo.fields.map(\.tag) == Array(1...9))
    #expect(photo.field(named: "hidden")?.defaultValue == .bool(false))
    #expect(
      photo.field(named: "place")?.type == FieldType(.structure(TypeName(model: "photo", name: "place")), .optional))
    #expect(photo.field(named: "likedBy")?.type == FieldType(.userReference, .set))
    #expect(photo.reserved == ReservedFields(tags: [10...10], names: ["oldCaption"]))
    #expect(photo.operations.map(\.name) == ["hide", "like", "unlike", "label"])
    #expect(photo.operations[0].effects == [.set([FieldAssignment(field: "hidden", value: .literal(.bool(true)))])])
    #expect(
      photo.lists[0]
        == ListDeclaration(
          name: "timeline", doc: nil, per: nil,
          conditions: [.compare(FieldPath(["hidden"]), .equal, .literal(.bool(false)))],
          section: .day(FieldPath(["takenAt"])), order: [OrderTerm(field: FieldPath(["takenAt"]), descending: true)],
          distinct: FieldPath(["file", "hash"])))
    #expect(photo.lists[1].limit == 12 && photo.lists[2].per == "moment")
  }

  @Test func readsShareOperationOfMoment() throws {
    let share = try #require(try Self.schema().model(named: "moment")?.operations.first)
    #expect(share.requirements == [.parameter("photos", path: ["file"])])
    #expect(share.effects.first == .follow(.parameter("recipient", path: []), nil))
    guard case .create("notification", let assignments) = share.effects.last else {
      Issue.record("The last effect creates a notification.")
      return
    }
    #expect(assignments.map(\.field) == ["kind", "sender", "recipient", "moment", "photos", "createdAt"])
    #expect(assignments[0].value == .literal(.enumCase("photosShared")))
    #expect(assignments[3].value == .object(path: []))
    #expect(assignments[5].value == .now)
  }

  private static func schema() throws -> Schema {
    try #require(SchemaReader.read(try SchemaFolder.repository()).schema)
  }
}
