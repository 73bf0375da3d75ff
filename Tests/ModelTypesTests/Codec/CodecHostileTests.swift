// Damaged and hostile bytes end in a typed error or in a value, never in a trap or in much work.

import Dispatch
import Foundation
import ModelTypes
import Synchronization
import TestSupport
import Testing
import WireFormat

@Suite struct CodecHostileTests {
  private func code(_ blob: [UInt8]) -> WireError.Code? {
    do throws(WireError) {
      _ = try Everything(id: .zero, blob: blob)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func eachKindOfDamageHasItsErrorCode() {
    #expect(code([0x40]) == .truncated)
    #expect(code([0x08]) == .truncated)
    #expect(code([0x08] + Array(repeating: 0xFF, count: 10)) == .overlongVarint)
    #expect(code([0x00, 0x00]) == .invalidTag)
    #expect(code([0x80, 0x80, 0x80, 0x80, 0x10, 0]) == .invalidTag)
    #expect(code([0x0B]) == .invalidWireType)
    #expect(code([0x0C]) == .invalidWireType)
    #expect(code([0x0E]) == .invalidWireType)
    #expect(code([0x0F]) == .invalidWireType)
    #expect(code([0x42, 2, 0xC3, 0x28]) == .invalidUTF8)
    #expect(code([0x72, 15] + Array(repeating: 1, count: 15)) == .invalidLength)
    #expect(code([0x42, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]) == .truncated)
    #expect(code(Array(repeating: 0, count: WireLimits.maximumBytes + 1)) == .tooLarge)
    #expect(code([0x82, 1, 3, 0x12, 1, 0]) == .invalidLength)
  }

  /// `levels` messages inside one another: the field `leaf`, then `children`.
  private func nested(_ levels: Int) -> [UInt8] {
    var body: [UInt8] = []
    for level in 1...levels {
      var length: [UInt8] = []
      var rest = body.count
      while rest >= 0x80 {
        length.append(UInt8(rest & 0x7F | 0x80))
        rest >>= 7
      }
      body = (level == levels ? [0x82, 1] : [0x1A]) + length + [UInt8(rest)] + body
    }
    return body
  }

  @Test func refusesTooDeepBlobsWhenReadingAndWriting() throws {
    let deepest = try Everything(id: .zero, blob: nested(WireLimits.maximumDepth))
    #expect(try Everything(id: .zero, blob: deepest.encoded()) == deepest)
    #expect(code(nested(WireLimits.maximumDepth + 1)) == .tooDeep)
    var deeper = deepest
    deeper.leaf = Leaf.zero
    deeper.leaf.children = [deepest.leaf]
    #expect(throws: WireError.self) { try deeper.encoded() }
    var buffer = BlobBuffer()
    #expect((try? buffer.append(deeper)) == nil)
    #expect(buffer.count == 0)
    #expect(try buffer.append(deepest) == 0..<deepest.encoded().count)
  }

  @Test func truncationAtEachByteNeverTraps() throws {
    var generator = SeededRandom(seed: 3)
    let blob = try generator.everything().encoded()
    for count in blob.indices { _ = try? Everything(id: .zero, blob: Array(blob[..<count])).encoded() }
  }

  /// Key 0 after the last field of a table is refused. It once took the slot behind that field, and wrote a bool over
  /// the id, which is at offset 0.
  @Test func keyZeroBehindTheLastFieldIsRefused() {
    let id = ObjectID<Older>(UUIDValue(high: 0x1122_3344_5566_7788, low: 9))
    for lastField: [UInt8] in [[0x68, 4], [0x42, 1, 0x61, 0x68, 4]] {
      for number: [UInt8] in [[0], [1], [0xFF, 1]] {
        var value = Older(zeroWithID: id)
        let error = #expect(throws: WireError.self) { try value.merge(lastField + [0] + number) }
        #expect(error?.code == .invalidTag)
        #expect(value.id == id)
      }
    }
    // Tag 11 is the last tag of this projection.
    #expect(throws: WireError.self) { try ListKeys(scanning: [0x08, 1, 0x58, 5, 0, 1]) }
  }

  @Test(arguments: 0..<60 as Range<UInt64>) func canonicalFormOfDamagedBlobIsStable(seed: UInt64) throws {
    var generator = SeededRandom(seed: seed)
    let original = try generator.everything().encoded()
    for _ in 0..<100 {
      var blob = original
      for _ in 0...(generator.next() % 4) where !blob.isEmpty {
        let index = Int(generator.next() % UInt64(blob.count))
        switch generator.next() % 4 {
        case 0: blob[index] ^= 1 << (generator.next() % 8)
        case 1: blob[index] = UInt8(truncatingIfNeeded: generator.word())
        case 2: blob.remove(at: index)
        default: blob.insert(UInt8(truncatingIfNeeded: generator.next()), at: index)
        }
      }
      guard let value = try? Everything(id: .zero, blob: blob) else { continue }
      let canonical = try value.encoded()
      #expect(try Everything(id: .zero, blob: canonical).encoded() == canonical, "seed \(seed): \(blob)")
      let older = try Older(id: .zero, blob: blob).encoded()
      #expect(try Older(id: .zero, blob: older).encoded() == older, "seed \(seed): \(blob)")
    }
  }

  @Test func readingManyRecordsIsNotQuadratic() throws {
    // Records in falling order, each of which grows a set inside one merged message. Sorting at each record would
    // compare 50 million times.
    let count = 10_000
    var blob: [UInt8] = []
    for number in stride(from: count, to: 0, by: -1) {
      let varint = [UInt8(number & 0x7F | 0x80), UInt8(number >> 7 & 0x7F | 0x80), UInt8(number >> 14)]
      blob += [0x82, 1, 4, 0x20] + varint
    }
    var message = Counting()
    try message.merge(blob)
    #expect(message.leaf.marks.map { Int($0.rawValue) } == Array(1...count))
    #expect(CountedMark.comparisons.withLock { $0 } < 20 * count)
  }
}

/// A number that counts how often two of its kind are compared. Only one test uses it.
private struct CountedMark: WireEnum {
  var rawValue: Int32
  static let comparisons = Mutex(0)

  static func _precedes(_ left: Self, _ right: Self) -> Bool {
    comparisons.withLock { $0 += 1 }
    return left.rawValue < right.rawValue
  }
}

private struct CountedLeaf: ModelStruct {
  var marks: SortedSet<CountedMark> = []
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "countedLeaf", unknownFields: \Self.unknownFields, Field(4, "marks", \Self.marks))
}

private struct Counting: ModelStruct {
  var leaf = CountedLeaf.zero
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable("counting", unknownFields: \Self.unknownFields, Field(16, "leaf", \Self.leaf))
}

/// A struct that is large in memory and may be two bytes in a blob.
private struct Large: ModelStruct {
  var file = FileReference.zero
  var other = FileReference.zero
  var children: [Large] = []
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "large", unknownFields: \Self.unknownFields, Field(1, "file", \Self.file), Field(2, "other", \Self.other),
    Field(3, "children", \Self.children))
}

@Suite struct CodecCostTests {
  /// Two bytes of a blob can stand for some hundred bytes of memory, so the memory that a blob may ask for is bounded.
  @Test func manySmallRecordsCannotTakeAllMemory() throws {
    let fits = WireLimits.maximumElementBytes / MemoryLayout<Large>.stride
    func blob(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in [0x1A, 0] as [UInt8] } }
    var large = Large()
    #expect { try large.merge(blob(fits + 1)) } throws: { ($0 as? WireError)?.code == .tooLarge }
    large = Large()
    try large.merge(blob(1_000))
    #expect(large.children.count == 1_000)
  }

  /// Reads the deepest blob on a thread with a stack as small as on some systems.
  @Test func theDeepestBlobFitsASmallStack() throws {
    var body: [UInt8] = []
    // One level less, because the files in the deepest struct are messages too.
    for _ in 0..<(WireLimits.maximumDepth - 1) {
      var length: [UInt8] = []
      var rest = body.count
      while rest >= 0x80 {
        length.append(UInt8(rest & 0x7F | 0x80))
        rest >>= 7
      }
      body = [0x1A] + length + [UInt8(rest)] + body
    }
    let blob = body
    let thread = SmallThread {
      var large = Large()
      try large.merge(blob)
      var again = Large()
      try again.merge(large.encoded())
      return again == large
    }
    #expect(try thread.result())
  }
}

/// Runs a function on a thread with 512 KiB of stack.
private final class SmallThread: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var outcome: Result<Bool, any Error> = .success(false)

  init(_ body: @escaping @Sendable () throws -> Bool) {
    let thread = Thread { [self] in
      outcome = Result { try body() }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
  }

  func result() throws -> Bool {
    done.wait()
    return try outcome.get()
  }
}
