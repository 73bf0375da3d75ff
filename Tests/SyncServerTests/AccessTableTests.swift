// Tests of reading an access table from its text, and of everything that is refused.

import Foundation
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct AccessTableTests {
  private func read(_ text: String) throws(AccessTableError) -> AccessTable {
    try AccessTable.read(Array(text.utf8)).table
  }

  private func mistake(_ text: String) -> String? {
    do throws(AccessTableError) {
      _ = try read(text)
      return nil
    } catch {
      return error.description
    }
  }

  private static func table(_ photo: String) -> String {
    "{ \"version\": 1, \"schema\": \"Moments\", \"types\": { \"photo\": \(photo) } }"
  }

  private static let whole = #""create": ["writer"], "update": ["writer", "creator"], "delete": ["owner"]"#

  @Test func aTableIsRead() throws {
    let table = try read(Self.table("{ \(Self.whole), \"fields\": { \"7\": [\"reader\"] } }"))
    #expect(
      table["photo"]
        == ObjectAccess(update: [.writer, .creator], delete: [.owner], fields: [7: [.reader]], identity: []))
    #expect(table["card"] == ObjectAccess(identity: []), "it has none that anybody knows of")
  }

  @Test func fieldsNameHolders() throws {
    let named =
      #"{ "role": "reader", "field": 2 }, { "role": "writer", "field": 3, "member": { "type": "member", "tag": 4 } }"#
    let table = try read(
      Self.table(
        """
        { "create": [\(named)], "update": [], "delete": ["creator"], "fixed": [1, 2], "identity": [[2], [3, 1]],
          "members": { "invite": ["owner"], "creator": ["creator"] } }
        """))
    #expect(
      table["photo"]
        == ObjectAccess(
          create: [.user(in: 2, role: .reader), .user(in: 3, as: UserIdentity("member", tag: 4))], update: [],
          delete: [.creator], fixed: [1, 2], identity: [[2], [3, 1]],
          members: MemberAccess(invite: [.owner], creator: [.creator])))
  }

  @Test(arguments: ["Generated", "Tests/TypeMatrix/Generated"]) func generatedTablesAreRead(folder: String) throws {
    let text = try String(contentsOf: Repository.url("\(folder)/access.json"), encoding: .utf8)
    #expect(try read(text).types.count > 1)
  }

  @Test func ignoresUnknownMembersAtTheTop() throws {
    #expect(try read(#"{ "//": "for people", "version": 1, "schema": "M", "types": {}, "next": [] }"#) == AccessTable())
  }

  @Test(
    arguments: [
      ("", "Line 1, column 1: this is not JSON."),
      ("{\n  \"version\": 1,\n  oops }", "Line 3, column 3: this is not JSON."),
      ("[]", "It is not a JSON object."),
      (#"{ "schema": "M", "types": {} }"#, "version: it is not 1, the version that this server reads."),
      (#"{ "version": 2, "schema": "M", "types": {} }"#, "version: it is not 1, the version that this server reads."),
      (#"{ "version": 1, "types": {} }"#, "schema: the name of the schema is missing."),
      (
        #"{ "version": 1, "schema": "a b", "types": {} }"#,
        "schema: this is not the name of a schema, as `modelgen.yaml` has it."
      ),
      (#"{ "version": 1, "schema": "M" }"#, "types: an object is missing."),
      (#"{ "version": 1, "schema": "M", "types": { "a b": {} } }"#, "types.a b: this is not the name of a model."),
      (
        #"{ "version": 1, "schema": "M", "types": { "sync.x": {} } }"#, "types.sync.x: this is not the name of a model."
      ),
      (table("[]"), "types.photo: this is not an object."),
      (table("{ \(whole), \"feilds\": {} }"), "types.photo.feilds: there is no such right."),
      (table("{ \"create\": [\"writer\"], \"delete\": [\"owner\"] }"), "types.photo.update: it is missing."),
      (table("{ \"create\": \"writer\" }"), "types.photo.create: a list of holders is missing."),
      (
        table("{ \"create\": [\"writer\", \"Owner\"] }"),
        "types.photo.create[1]: a holder is \"owner\", \"writer\", \"reader\", \"creator\", or an object with `role` and `field`."
      ),
      (
        table(#"{ "create": [{ "field": 2 }] }"#),
        "types.photo.create[0].role: a role is \"owner\", \"writer\" or \"reader\"."
      ),
      (table(#"{ "create": [{ "role": "writer" }] }"#), "types.photo.create[0].field: this is not a tag."),
      (
        table(#"{ "create": [{ "role": "writer", "field": 2, "via": 3 }] }"#),
        "types.photo.create[0].via: a holder has no such part."
      ),
      (
        table(#"{ "create": [{ "role": "writer", "field": 2, "member": { "tag": 3 } }] }"#),
        "types.photo.create[0].member.type: this is not the name of a model."
      ),
      (table("{ \(whole), \"fixed\": [] }"), "types.photo.fixed: a list with at least one element is missing."),
      (table("{ \(whole), \"fixed\": [1, 0] }"), "types.photo.fixed[1]: this is not a tag."),
      (
        table("{ \(whole), \"identity\": [2] }"),
        "types.photo.identity[0]: a list with at least one element is missing."
      ),
      (table("{ \(whole), \"identity\": [[2, \"3\"]] }"), "types.photo.identity[0][1]: this is not a tag."),
      (table("{ \(whole), \"members\": { \"expel\": [] } }"), "types.photo.members.expel: there is no such right."),
      (
        table("{ \(whole), \"members\": { \"role\": [{ \"role\": \"writer\", \"field\": 2 }] } }"),
        "types.photo.members.role: no field names who may change members."
      ),
      (table("{ \(whole), \"fields\": [] }"), "types.photo.fields: this is not an object."),
      (table("{ \(whole), \"fields\": { \"07\": [\"owner\"] } }"), "types.photo.fields.07: this is not a tag."),
      (table("{ \(whole), \"fields\": { \"0\": [\"owner\"] } }"), "types.photo.fields.0: this is not a tag."),
      (
        table("{ \(whole), \"fields\": { \"536870912\": [\"owner\"] } }"),
        "types.photo.fields.536870912: this is not a tag."
      ),
    ]) func mistakesSayWhereTheyAre(text: String, expected: String)
  {
    #expect(mistake(text) == expected)
  }

  @Test func largeTextsAreRefusedUnread() {
    #expect(mistake(String(repeating: " ", count: AccessTable.maximumBytes + 1)) == "It is larger than 4 MiB.")
  }

  @Test func tablesAreOfTheirSchemas() throws {
    let (schema, table) = try AccessTable.read(
      Array(
        #"{ "version": 1, "schema": "Cards", "types": { "card": { "create": ["owner"], "update": ["owner"], "delete": ["owner"] } } }"#
          .utf8))
    var tables = AccessTables()
    tables[schema] = table
    #expect(schema == "Cards" && tables.has("Cards") && !tables.has("Wallet") && tables.typeCount == 1)
    #expect(tables["Cards"]["card"].update == [.owner])
    #expect(tables["Wallet"]["card"] == .byRole, "a type of the same name in another app")
  }
}
