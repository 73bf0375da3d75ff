// Queues, objects and files of these tests.

import Crypto
import SampleIDs
import SyncProtocol
import WireFormat

extension QueueID {
  static var queue: Self { Self("0a110000-0000-4000-8000-000000000001")! }
}

extension UUIDValue {
  static func object(_ number: UInt64) -> Self { .object(number, in: .queue) }
}

extension ObjectID {
  static func number(_ number: UInt64) -> Self { Self(high: 0xF, low: number) }
}

extension UserID {
  /// The id of a user whose token has this subject.
  static func user(_ name: String) -> Self { SyncID.user(subject: name, issuer: nil) }
}

extension CommitRequest.Mutation {
  init(_ operation: UInt64, _ changes: OperationChanges) {
    self.init(
      operation: .number(operation), firstSent: Timestamp(millisecondsSince1970: 4_000_000_000_000),
      changes: (try? changes.encoded()) ?? [])
  }

  /// Makes an object with a text.
  static func create(_ object: UInt64, _ text: String, operation: UInt64, files: [ContentHash] = []) -> Self {
    var content = RecordWriter(capacity: 16)
    content.string(2, text)
    let patch = try! PatchBuilder().patch(filling: content.bytes)
    let change = ObjectChange(.object(object), .create(type: "note", patch))
    return Self(operation, OperationChanges(objects: [change], files: files))
  }
}

extension ContentHash {
  init(of bytes: [UInt8]) { self.init(bytes: Array(SHA256.hash(data: bytes)))! }
}
