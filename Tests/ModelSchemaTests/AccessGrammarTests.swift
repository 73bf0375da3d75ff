// `access:` and the roles of members: their meaning once read, and the errors for mistakes.

import ModelSchema
import Testing

@Suite struct AccessGrammarTests {
  private static func read(_ lines: String, queue: String = "album") -> ReadingResult {
    let item = """
      model: item
      queue: \(queue)
      identity: [key]
      fields: { album: ref(album) = 1, key: string = 2, note: string? = 3, votes: counter = 4 }
      \(lines)

      """
    return SchemaReader.read(
      SchemaFolder.texts([
        "item.yaml": item,
        "album.yaml": "model: album\nqueue: self\nfields: { title: string = 1 }\naccess: { update: owner }\n",
      ]))
  }

  @Test(
    arguments: [
      ("{ update: owner }", AccessDeclaration(update: [.owner])),
      (
        "{ create: reader, delete: [creator, owner] }",
        AccessDeclaration(create: [.reader], delete: [.creator, .owner])
      ),
      (
        "{ fields: { votes: reader, note: [creator] } }",
        AccessDeclaration(fields: [
          FieldRight(field: "votes", holders: [.reader]), FieldRight(field: "note", holders: [.creator]),
        ])
      ),
    ])
  func rights(text: String, expected: AccessDeclaration) throws {
    let result = Self.read("access: \(text)")
    #expect(result.diagnostics == [])
    #expect(try #require(result.schema?.model(named: "item")).access == expected)
    #expect(result.schema?.model(named: "album")?.access == AccessDeclaration(update: [.owner], delete: [.owner]))
  }

  @Test func readsRolesOfMembers() throws {
    let result = Self.read(
      """
      operations:
        hand: { parameters: { heir: ref(user)? }, unfollow: $me, role: { user: $heir, role: owner }, follow: { user: $heir } }
        show: { parameters: { users: set(ref(user)) }, follow: { role: reader, user: $users } }
      """)
    #expect(result.diagnostics == [])
    let effects = try #require(result.schema?.model(named: "item")).operations.map(\.effects)
    let heir = ValueExpression.parameter("heir", path: [])
    #expect(
      effects == [
        [.unfollow(.me), .role(heir, .owner), .follow(heir, nil)], [.follow(.parameter("users", path: []), .reader)],
      ])
  }

  /// Line 5 is the first line after the fields.
  @Test(
    arguments: [
      ("access: {}", "5:9: `access:` has at least one entry. [empty-declaration]"),
      ("access: owner", "5:9: `access:` is a mapping of keys to values, not a single value. [wrong-kind]"),
      ("access: { update: {} }", "5:19: `update:` is a single value or a list of them, not a mapping. [wrong-kind]"),
      ("access: { update: [] }", "5:19: `update:` has at least one entry. [empty-declaration]"),
      ("access: { fields: {} }", "5:19: `fields:` has at least one entry. [empty-declaration]"),
      ("access: { fields: { note.x: owner } }", "5:21: `item` has no field `note.x`. [unknown-field]"),
      ("access: { update: \"owner\" }", "5:19: A right is not a text: write it without quotes. [quoted-expression]"),
      (
        "access: { fields: { key: owner } }",
        "5:21: `key` decides the queue or the id of the object, so it never changes. [fixed-field]"
      ),
      (
        "access: { update: members }",
        "5:19: A right is of `owner`, `writer`, `reader`, `creator`, not `members`. [unknown-role]"
      ),
      (
        "operations: { act: { role: $me } }",
        "5:28: `role:` is a mapping of keys to values, not a single value. [wrong-kind]"
      ),
      (
        "operations: { act: { follow: { user: $self.note, role: reader } } }",
        "5:38: Users follow queues, not `string?`. [value-type]"
      ),
    ]) func mistakesAreNamed(lines: String, expected: String)
  {
    let shown = Self.read(lines).diagnostics.map {
      "\($0.location.start.line):\($0.location.start.column): \($0.message) [\($0.rule)]"
    }
    #expect(shown == [expected])
  }

  @Test func suggestsHolderForMisspeltOne() {
    let diagnostics = Self.read("access: { update: [onwer, writers] }").diagnostics
    #expect(diagnostics.map(\.replacement) == ["owner", "writer"])
  }
}
