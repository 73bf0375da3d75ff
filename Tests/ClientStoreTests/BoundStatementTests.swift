// Values that `BoundStatement` writes are read back unchanged, and a column of another type is reported as damage.

import GRDB
import ModelSupport
import Testing

@testable import ClientStore

@Suite struct BoundStatementTests {
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE value (number INTEGER, bytes NOT NULL, text)") }
  }

  private func insert(_ number: Int64?, _ bytes: [UInt8], _ text: String) throws {
    try queue.write { database in
      let statement = try BoundStatement("INSERT INTO value VALUES (?, ?, ?)", database)
      try statement.bind(1, number)
      try statement.bind(2, bytes)
      try statement.bind(3, text)
      try statement.run()
    }
  }

  /// Calls `body` with a statement that is positioned on the only row.
  private func read<Result>(_ body: (BoundStatement) throws -> Result) throws -> Result {
    try queue.read { database in
      let statement = try BoundStatement("SELECT number, bytes, text FROM value", database)
      defer { statement.reset() }
      #expect(try statement.next())
      return try body(statement)
    }
  }

  @Test(
    arguments: [
      (Int64.min, 0, ""), (nil, 1, "a\u{0}b"), (.max, 100_000, "Gipfel ☀️"),
    ] as [(Int64?, Int, String)])
  func readsBackBoundValues(number: Int64?, count: Int, text: String) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    try insert(number, bytes, text)
    #expect(try read { $0.isNull(0) ? nil : try $0.integer(0) } == number)
    #expect(try read { try $0.bytes(1) } == bytes)
    #expect(try read { try $0.text(2) } == text)
  }

  @Test(arguments: [0, 1, 100_000])
  func bytesBoundInPlaceAreUsedForOneRun(count: Int) throws {
    let bytes = [UInt8](repeating: 7, count: count)
    try queue.write { database in
      let statement = try BoundStatement("INSERT INTO value VALUES (1, ?, '')", database)
      try statement.run(with: bytes, at: 1)
      #expect(statement.changes == 1)
      #expect(throws: DatabaseError.self, "without bytes of its own") { try statement.run() }
    }
    #expect(try read { try $0.bytes(1) } == bytes)
  }

  @Test func readsBackBoundID() throws {
    let id = UUIDValue(high: 1, low: .max)
    try queue.write { database in
      let statement = try BoundStatement("INSERT INTO value VALUES (1, ?, '')", database)
      try statement.bind(1, id)
      try statement.run()
    }
    #expect(try read { try $0.id(1) } == id)
  }

  @Test func readingColumnOfAnotherTypeThrowsDamaged() throws {
    try insert(nil, [1], "text")
    let readings: [(BoundStatement) throws -> Void] = [
      { _ = try $0.integer(0) }, { _ = try $0.integer(1) }, { _ = try $0.text(1) }, { _ = try $0.bytes(2) },
      { _ = try $0.id(1) }, { _ = try $0.id(2) },
    ]
    for reading in readings {
      #expect { try read(reading) } throws: { ($0 as? StoreError)?.code == .damaged }
    }
  }

  @Test func aFailedStatementCanBeRunAgain() throws {
    try queue.write { database in
      let statement = try BoundStatement("INSERT INTO value (number, bytes) VALUES (?, ?)", database)
      try statement.bind(1, 1)
      #expect { try statement.run() } throws: { ($0 as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT }
      try statement.bind(2, [1])
      try statement.run()
    }
    #expect(try read { try $0.integer(0) } == 1)
  }
}
