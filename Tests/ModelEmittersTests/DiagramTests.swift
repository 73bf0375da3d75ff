// The picture of a schema.
import ModelEmitters
import ModelSchema
import Testing

@Suite struct DiagramTests {
  @Test func showsFieldsAndWhatTheyName() {
    let moment = ModelDeclaration.of("moment", [.of("cover", .reference("photo"), .optional)])
    var photo = ModelDeclaration.of(
      "photo",
      [
        .of("moment", .reference("moment")), .of("tags", .string, .set, tag: 2),
        .of("others", .reference("photo"), .list, tag: 3), .of("likedBy", .userReference, .set, tag: 4),
        .of("old", .string, tag: 5, deprecated: ""),
        .of("mood", .enumeration(TypeName(model: "photo", name: "mood")), tag: 6),
      ])
    photo.queue = .field("moment")
    var schema = Schema.of(photo, enums: [EnumDeclaration.of("mood", [EnumCase(name: "good", number: 1)])])
    schema.files.insert(contentsOf: Schema.of(moment).files, at: 0)
    #expect(
      ModelDiagram(schema).mermaid == """
        classDiagram
          direction LR
          class Moment {
            <<queue>>
            Photo? cover
          }
          class Photo {
            <<model>>
            Moment moment
            set~string~ tags
            list~Photo~ others
            set~user~ likedBy
            Mood mood
          }
          class Mood {
            <<enum>>
            good
          }
          Moment --> Photo : cover
          Moment *-- Photo
          Photo --> "*" Photo : others

        """)
  }

  @Test func marksEphemeralModels() {
    var typing = ModelDeclaration.of("typing", [.of("room", .reference("room"))], queue: .field("room"))
    typing.ephemeralSeconds = 5
    #expect(
      ModelDiagram(.of(.of(.of("room")), .of(typing))).mermaid.contains("class Typing {\n    <<ephemeral>>\n"))
  }
}
