// The reads of a recorded storage, which go to the real one.

import SyncProtocol
import SyncServer
import WireFormat

protocol RecordedReads: QueueSnapshot {
  var snapshot: any QueueSnapshot { get }
}

extension RecordedReads {
  func queue(_ id: QueueID) throws -> StoredQueue? { try snapshot.queue(id) }
  func membership(of user: UserID, in queue: QueueID) throws -> StoredMembership? {
    try snapshot.membership(of: user, in: queue)
  }
  func members(of queue: QueueID) throws -> [(user: UserID, membership: StoredMembership)] {
    try snapshot.members(of: queue)
  }
  func places(of user: UserID, schema: String, after queue: QueueID?, limit: Int) throws -> [ChangedAnswer.Head] {
    try snapshot.places(of: user, schema: schema, after: queue, limit: limit)
  }
  func queueCount(of user: UserID) throws -> QueueCount { try snapshot.queueCount(of: user) }
  func shareQueue(_ user: UserID, _ other: UserID) throws -> Bool { try snapshot.shareQueue(user, other) }
  func invitations(by user: UserID, on day: Int64) throws -> Invitations {
    try snapshot.invitations(by: user, on: day)
  }
  func wasMember(_ user: UserID, of queue: QueueID) throws -> Bool { try snapshot.wasMember(user, of: queue) }
  func object(_ id: UUIDValue, in queue: QueueID) throws -> ObjectState? { try snapshot.object(id, in: queue) }
  func referenceCount(of object: UUIDValue, in queue: QueueID, limit: Int) throws -> Int {
    try snapshot.referenceCount(of: object, in: queue, limit: limit)
  }
  func outcomes(of operations: [OperationID], in queue: QueueID) throws -> [OperationOutcome] {
    try snapshot.outcomes(of: operations, in: queue)
  }
  func forEachChange(in queue: QueueID, after cursor: Int64, _ body: (ObjectState) throws -> Bool) throws {
    try snapshot.forEachChange(in: queue, after: cursor, body)
  }
  func forEachLive(in queue: QueueID, behind place: ScanCursor?, _ body: (ObjectState) throws -> Bool) throws {
    try snapshot.forEachLive(in: queue, behind: place, body)
  }
  func missing(_ files: [ContentHash], in queue: QueueID) throws -> [ContentHash] {
    try snapshot.missing(files, in: queue)
  }
  func duties(after number: Int64, limit: Int) throws -> [HomeDuty] {
    try snapshot.duties(after: number, limit: limit)
  }
  func file(_ hash: ContentHash, in queue: QueueID) throws -> StoredFile? { try snapshot.file(hash, in: queue) }
  func part(_ hash: ContentHash, in queue: QueueID) throws -> StoredPart? { try snapshot.part(hash, in: queue) }
  func partCount(of user: UserID) throws -> Int { try snapshot.partCount(of: user) }
  func parts(after place: FileKey?, limit: Int) throws -> [FileKey] {
    try snapshot.parts(after: place, limit: limit)
  }
  func fileBytes(in queue: QueueID) throws -> Int64 { try snapshot.fileBytes(in: queue) }
  func fileBytes(broughtBy user: UserID) throws -> Int64 { try snapshot.fileBytes(broughtBy: user) }
  func usage(in queue: QueueID) throws -> StoredUsage { try snapshot.usage(in: queue) }
  func usage(of user: UserID) throws -> StoredUsage { try snapshot.usage(of: user) }
  func typesBeside(_ name: String) throws -> Int? { try snapshot.typesBeside(name) }
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
