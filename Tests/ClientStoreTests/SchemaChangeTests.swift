// A schema that would misread what a store has is refused, and nothing is changed.

import Foundation
import GRDB
import ModelSupport
import SampleIDs
import TestSupport
import Testing
import TypeMatrix

@testable import ClientStore

@Suite struct SchemaChangeTests {
  private static let town = StoredField(tag: 2, name: "town", type: "string")
  private static let before = [
    StoredField(tag: 1, name: "title", type: "string"), StoredField(tag: 3, name: "count", type: "int32"),
    StoredField(tag: 4, name: "stops", type: "list(place)", fields: [town]),
    StoredField(tag: 5, name: "mood", type: "enum", cases: [.init(number: 1, name: "happy")]),
  ]

  private func change(_ edit: (inout [StoredField]) -> Void) -> SchemaChange? {
    var fields = Self.before
    edit(&fields)
    return SchemaChange.first(from: Self.before, to: fields)
  }

  @Test func acceptsChangesThatKeepValuesReadable() {
    #expect(change { _ in } == nil)
    #expect(change { $0[1].name = "number" } == nil, "renamed")
    #expect(change { $0.remove(at: 1) } == nil, "removed")
    #expect(change { $0.append(StoredField(tag: 9, name: "new", type: "bool")) } == nil)
    #expect(change { $0[0].type = "string?" } == nil)
    #expect(change { $0[2].type = "list(stop)" } == nil, "a struct of another name")
    #expect(change { $0[3].cases?.append(.init(number: 2, name: "sad")) } == nil)
    // The old field has made room for a new one of its name.
    let replaced = change {
      $0[1].name = "oldCount"
      $0.append(StoredField(tag: 9, name: "count", type: "string"))
    }
    #expect(replaced == nil)
    // The replacement takes over the name once the old field is gone.
    let renamed = change {
      $0.remove(at: 1)
      $0[0].name = "count"
    }
    #expect(renamed == nil)
  }

  @Test func findsChangesThatMisreadValues() {
    let words = change { $0[1].type = "string" }?.description ?? ""
    #expect(words.hasPrefix("`count` has the tag 3, which was of the type int32 in this store and is string now."))
    #expect(change { $0[1].tag = 20 } == .tag(name: "count", before: 3, now: 20))
    #expect(change { $0[0].type = "set(string)" } != nil)
    #expect(change { $0[2].fields?[0].type = "double" } != nil, "inside a struct")
    #expect(change { $0[2].type = "list(string)" } != nil)
    #expect(change { $0[3].type = "int32" } != nil)
    // The freed tag was given to another field.
    #expect(change { $0[1] = StoredField(tag: 3, name: "size", type: "double") } != nil)
  }

  /// Two fields of one type have changed their tags: each value would be read as the other one's.
  @Test func findsTagsThatWereExchanged() {
    let before = ["title", "author", "note"].enumerated().map {
      StoredField(tag: $0.offset + 1, name: $0.element, type: "string")
    }
    func change(_ tags: [(String, Int)]) -> SchemaChange? {
      SchemaChange.first(from: before, to: tags.map { StoredField(tag: $0.1, name: $0.0, type: "string") })
    }
    let exchanged = change([("title", 2), ("author", 1), ("note", 3)])
    #expect(exchanged == .tag(name: "title", before: 1, now: 2))
    #expect(change([("title", 3), ("author", 1), ("note", 2)]) == .tag(name: "title", before: 1, now: 3))
    #expect(change([("title", 9), ("author", 1), ("note", 3)]) == .tag(name: "title", before: 1, now: 9))
    // Numbered anew after the first field was removed.
    #expect(change([("author", 1), ("note", 2)]) == .tag(name: "author", before: 2, now: 1))
    #expect(change([("title", 1), ("writer", 2), ("note", 3)]) == nil, "renamed")
  }

  @Test func refusesChangedSchemaAndLeavesStoreUnchanged() async throws {
    let folder = try TemporaryFolder()
    func open() throws -> ModelStore {
      try ModelStore(
        at: folder.url.path, schema: TypeMatrixSchema.self, user: UserID(high: 1, low: 1))
    }
    try open().abandon()
    // What was never used may change.
    let unused = try DatabaseQueue(path: folder.url("store.sqlite").path)
    try await unused.write { try $0.execute(sql: "UPDATE type SET fields = replace(fields, 'string', 'int64')") }
    try unused.close()
    let store = try open()
    store.create(Board(name: "Summer"))
    try await store.waitUntilSaved()
    store.abandon()
    let database = try DatabaseQueue(path: folder.url("store.sqlite").path)
    let find = "SELECT fields FROM type WHERE name = 'board'"
    let fields = try #require(try await database.read { try String.fetchOne($0, sql: find) })
    // As if an earlier version of the app had written it.
    let field = #""name":"name","tag":1,"type":"#
    let earlier = fields.replacing(field + #""string""#, with: field + #""int64""#)
    try #require(earlier != fields, "\(fields)")
    let update = "UPDATE type SET fields = ? WHERE name = 'board'"
    try await database.write { try $0.execute(sql: update, arguments: [earlier]) }
    #expect {
      try open()
    } throws: { error in
      guard let error = error as? StoreError, error.code == .schemaChanged else { return false }
      return error.message.hasPrefix("In `board`, `name` has the tag 1, which was of the type int64 in this store")
    }
    #expect(try await database.read { try String.fetchOne($0, sql: find) } == earlier)
  }
}
