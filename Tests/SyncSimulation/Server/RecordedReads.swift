// The reads of a recorded storage, which go to the real one.

import SyncProtocol
import SyncServer
import WireFormat

protocol RecordedReads: QueueSnapshot {
  var snapshot: any QueueSnapshot { get }
}

extension RecordedReads {
  func load(
    _ keys: [RowKey], of queue: QueueID, into rows: inout [RowKey: RowValue], bytes: Int
  ) throws -> [RowKey] {
    try snapshot.load(keys, of: queue, into: &rows, bytes: bytes)
  }
  func places(of user: UserID, schema: String, after queue: QueueID?, limit: Int) throws -> [ChangedAnswer.Head] {
    try snapshot.places(of: user, schema: schema, after: queue, limit: limit)
  }
  func queues(of user: UserID, after queue: QueueID?, limit: Int) throws -> [QueueID] {
    try snapshot.queues(of: user, after: queue, limit: limit)
  }
  func duties(after duty: HomeDuty?, limit: Int) throws -> [HomeDuty] {
    try snapshot.duties(after: duty, limit: limit)
  }
  func file(_ hash: ContentHash, in queue: QueueID) throws -> StoredFile? { try snapshot.file(hash, in: queue) }
  func part(_ hash: ContentHash, in queue: QueueID) throws -> StoredPart? { try snapshot.part(hash, in: queue) }
  func partCount(of user: UserID) throws -> Int { try snapshot.partCount(of: user) }
  func parts(after place: FileKey?, limit: Int) throws -> [FileKey] {
    try snapshot.parts(after: place, limit: limit)
  }
  func fileBytes(in queue: QueueID) throws -> Int64 { try snapshot.fileBytes(in: queue) }
  func fileBytes(broughtBy user: UserID) throws -> Int64 { try snapshot.fileBytes(broughtBy: user) }
  func files(after place: FileKey?, limit: Int) throws -> [(place: FileKey, file: StoredFile)] {
    try snapshot.files(after: place, limit: limit)
  }
  func queues(after queue: QueueID?, limit: Int) throws -> [(id: QueueID, queue: StoredQueue)] {
    try snapshot.queues(after: queue, limit: limit)
  }
  func marks(of queue: QueueID) throws -> [QueueMark] { try snapshot.marks(of: queue) }
  func tombstones(in queue: QueueID, after cursor: Int64, upTo revision: Int64, limit: Int) throws -> [Int64] {
    try snapshot.tombstones(in: queue, after: cursor, upTo: revision, limit: limit)
  }
  func outcomes(after number: Int64, limit: Int) throws -> [OutcomeKey] {
    try snapshot.outcomes(after: number, limit: limit)
  }
  func newestTime() throws -> Timestamp { try snapshot.newestTime() }
}
