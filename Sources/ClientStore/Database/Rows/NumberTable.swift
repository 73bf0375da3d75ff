// Small numbers that rows hold instead of queue ids and type names.

import Foundation
import GRDB
import WireFormat

/// The numbers of queues and types: a copy in memory of the tables `queue` and `type`.
struct NumberTable {
  private var queues: [QueueID: Int64] = [:]
  private var queueIDs: [Int64: QueueID] = [:]
  private var types: [String: Int64] = [:]
  private var typeNames: [Int64: String] = [:]

  init() {}

  init(_ database: Database) throws {
    for row in try Row.fetchAll(database, sql: "SELECT number, id FROM queue") {
      let id = try QueueID(stored: row.decode(Data.self, atIndex: 1))
      add(queue: id, try row.decode(Int64.self, atIndex: 0))
    }
    for row in try Row.fetchAll(database, sql: "SELECT number, name FROM type") {
      add(type: try row.decode(String.self, atIndex: 1), try row.decode(Int64.self, atIndex: 0))
    }
  }

  /// Nil for a type without a row.
  func number(ofType name: String) -> Int64? { types[name] }
  func number(of queue: QueueID) -> Int64? { queues[queue] }

  func knows(queue: Int64, type: Int64) -> Bool {
    queueIDs[queue] != nil && typeNames[type] != nil
  }

  /// The queue with a number; nil for objects that never leave the device. Throws `damaged` if there is none.
  func queue(_ number: Int64) throws -> QueueID? {
    guard let id = queueIDs[number] else {
      throw StoreError(.damaged, "A row names queue \(number), which is not there.")
    }
    return id == .zero ? nil : id
  }

  func type(_ number: Int64) throws -> String {
    guard let name = typeNames[number] else {
      throw StoreError(.damaged, "A row names type \(number), which is not there.")
    }
    return name
  }

  mutating func add(queue: QueueID, _ number: Int64) {
    queues[queue] = number
    queueIDs[number] = queue
  }

  mutating func add(type: String, _ number: Int64) {
    types[type] = number
    typeNames[number] = type
  }
}

/// An id as columns store it: 16 bytes, big-endian.
protocol StoredID {
  var stored: Data { get }
  init(stored: Data) throws
}

extension UUIDValue: StoredID {
  var stored: Data {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
  }

  init(stored: Data) throws {
    guard stored.count == 16 else { throw StoreError(.damaged, "An id has \(stored.count) bytes instead of 16.") }
    self = stored.withUnsafeBytes { bytes in
      Self(
        high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}

extension ObjectID: StoredID {
  var stored: Data { rawValue.stored }
  init(stored: Data) throws { self.init(try UUIDValue(stored: stored)) }
}

extension Array where Element: StoredID {
  /// The ids one after the other, 16 bytes each.
  var stored: [UInt8] { flatMap { [UInt8]($0.stored) } }

  init(stored: [UInt8]) throws {
    guard stored.count % 16 == 0 else {
      throw StoreError(.damaged, "A list of ids has \(stored.count) bytes, which is not a multiple of 16.")
    }
    self = try stride(from: 0, to: stored.count, by: 16).map { try Element(stored: Data(stored[$0..<$0 + 16])) }
  }
}
