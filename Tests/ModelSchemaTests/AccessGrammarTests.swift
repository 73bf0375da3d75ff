// `access:` and the roles of members: their meaning once read, and the errors for mistakes.

import ModelSchema
import Testing

@Suite struct AccessGrammarTests {
  private static func read(_ lines: String, queue: String = "album") -> ReadingResult {
    let item = """
      model: item
      queue: \(queue)
      identity: [key]
      fields: { album: ref(album) = 1, key: string = 2, note: string? = 3, votes: counter = 4, by: ref(user)? = 5, for: ref(seat)? = 6 }
      \(lines)

      """
    let seat = "model: seat\nqueue: album\nidentity: [who]\nfields: { album: ref(album) = 1, who: ref(user) = 2 }\n"
    return SchemaReader.read(
      SchemaFolder.texts([
        "item.yaml": item,
        "seat.yaml": seat + "access: { create: reader( who ) }\n",
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
      ("{ create: user(by), update: nobody }", AccessDeclaration(create: [.user(UserField("by"))], update: [])),
      (
        "{ create: [user(for.who), owner], delete: reader(by) }",
        AccessDeclaration(
          create: [.user(UserField("for", part: "who")), .owner], delete: [.user(UserField("by", role: .reader))])
      ),
    ])
  func rights(text: String, expected: AccessDeclaration) throws {
    let result = Self.read("access: \(text)")
    #expect(result.diagnostics.filter { $0.severity != .notice } == [])
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
    #expect(result.diagnostics.map(\.rule) == ["open-user"])
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
        "5:19: A right is of `owner`, `writer`, `reader`, `creator`, `user(FIELD)`, `reader(FIELD)` or `nobody`, not `members`. [unknown-role]"
      ),
      (
        "access: { update: [owner, nobody] }",
        "5:27: `nobody` stands alone: with others there is somebody. [unknown-role]"
      ),
      (
        "access: { update: [user(by), user( by )] }", "5:30: `user(by)` is repeated here. [unknown-role]"
      ),
      (
        "access: { create: user(by), fields: { by: owner } }",
        "5:39: `by` says in whose name the object is (`create:` of `access:`), so it never changes. [fixed-field]"
      ),
      (
        "access: { create: user(by) }\noperations: { pass: { clear: by } }",
        "6:30: `by` says in whose name the object is (`create:` of `access:`), so it never changes. [fixed-field]"
      ),
      ("access: { create: user(bye) }", "5:24: `item` has no field `bye`. [unknown-field]"),
      (
        "access: { members: { expel: owner } }",
        "5:11: Members follow queues, and a `item` is none: `members:` is for `queue: self`. [access-members]"
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
    let shown = Self.read(lines).diagnostics.filter { $0.severity != .notice }.map {
      "\($0.location.start.line):\($0.location.start.column): \($0.message) [\($0.rule)]"
    }
    #expect(shown == [expected])
  }

  @Test func suggestsHolderForMisspeltOne() {
    let diagnostics = Self.read("access: { update: [onwer, writers] }").diagnostics
    #expect(diagnostics.map(\.replacement) == ["owner", "writer"])
  }

  @Test func readsRightsToMembers() throws {
    let album = """
      model: album
      queue: self
      fields: { title: string = 1 }
      access: { delete: creator, members: { invite: owner, remove: creator } }

      """
    let result = SchemaReader.read(SchemaFolder.texts(["album.yaml": album]))
    #expect(result.diagnostics == [])
    let members = MemberRights(invite: [.owner], remove: [.creator])
    #expect(result.schema?.model(named: "album")?.access == AccessDeclaration(delete: [.creator], members: members))
  }
}
