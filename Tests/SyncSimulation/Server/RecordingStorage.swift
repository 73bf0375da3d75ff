// The server's storage, with faults, and with a record of what each transaction put in which order.

import SyncProtocol
import SyncServer
import WireFormat

struct RecordingStorage: QueueStorage {
  private let inner: SQLiteStorage
  private let writer: SimulatedWriter
  private let history: ServerHistory
  private let faults: ServerFaults

  init(_ inner: SQLiteStorage, _ writer: SimulatedWriter, history: ServerHistory, faults: ServerFaults) {
    (self.inner, self.writer, self.history, self.faults) = (inner, writer, history, faults)
  }

  /// The code only, because the message names the folder, which differs in each run.
  private func name(of error: any Error) -> String {
    (error as? StorageError).map { "\($0.code)" } ?? "\(error)"
  }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result {
    let served = ServedRequest.current
    do {
      try faults.beforeReading()
      served?.queueRead = nil
      let result = try inner.read { try body(RecordingSnapshot(snapshot: $0, served: served)) }
      if let served { referee.noteRead(for: served) }
      return result
    } catch let refusal as RequestError {
      // The refusal follows from what was read.
      if let served { referee.noteRead(for: served) }
      throw refusal
    } catch {
      served?.hasFailed = true
      history.world.trace("the server cannot read: \(name(of: error))")
      throw error
    }
  }

  /// A commit asks after each of its mutations. In a crowded world it may decide two, as the model of the server does.
  func isAwaited(_: QueueID, besides user: UserID) -> Bool {
    guard history.world.plan.isCrowded, let record = TransactionRecord.current else { return false }
    record.looks += 1
    return record.looks == 2
  }

  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    let served = ServedRequest.current
    do {
      try faults.beforeWriting()
      let recording = TransactionRecord(at: referee.time, for: served)
      let result = try await write(to: queue, recording, served, body)
      if recording.doneDuty == nil { served?.decided.insert(PlainID(queue)) }
      try faults.afterWriting()
      return result
    } catch let refusal as RequestError {
      throw refusal
    } catch {
      served?.hasFailed = true
      history.world.trace("the server cannot write: \(name(of: error))")
      throw error
    }
  }

  /// Writes for the request that has asked for it, whichever task does the writing.
  private func write<Result: Sendable>(
    to queue: QueueID, _ recording: TransactionRecord, _ served: ServedRequest?,
    _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    try await writer.write(to: queue) { transaction in
      try ServedRequest.$current.withValue(served) {
        let recorder = RecordingTransaction(inner: transaction, record: recording, faults: faults)
        let result = try TransactionRecord.$current.withValue(recording) { try body(recorder) }
        writer.note(recording, try referee.judge(recording, on: queue, in: transaction))
        return result
      }
    }
  }

  private var referee: Referee { history.world.server.referee }

  /// Reads what the database really has, without faults, to compare it.
  func stored<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) throws -> Result {
    try inner.read(body)
  }
}

/// The record of what one transaction put, in order. `@unchecked Sendable`: one thread.
final class TransactionRecord: @unchecked Sendable {
  /// The time that the server's clock had last shown when the transaction was asked for.
  let time: Int64
  /// Whether upkeep writes it. Upkeep decides for itself what it forgets.
  let isUpkeep: Bool
  var puts: [Put] = []
  var newDuties: [HomeDuty] = []
  /// The duty that it has done, or found to be done.
  var doneDuty: HomeDuty?
  /// Outcomes that upkeep has removed one by one.
  var outcomesGone: [OperationID] = []
  /// How often the transaction has asked whether others wait.
  var looks = 0
  @TaskLocal static var current: TransactionRecord?

  var notedTime: Timestamp?
  var mark: QueueMark?
  var marksGone: Timestamp?
  /// Whether it removes objects of a queue that has ended, and some are left.
  var leavesObjects = false
  /// Files that came; those with nil were removed.
  var files: [(hash: ContentHash, file: StoredFile?)] = []
  /// Files that it notes as named by objects.
  var named: [ContentHash] = []
  /// The request for which it is written.
  let served: ServedRequest?
  /// The model's effects of it. Set once everything was put and only the commit is left.
  var effects: PlainEffects?

  enum Put {
    case queue(StoredQueue, QueueID)
    case object(ObjectState, QueueID)
    case outcome(OperationOutcome, QueueID)
    case membership(StoredMembership?, UserID, QueueID)
    case tombstonesGone(QueueID, Int64)
    case outcomesGone(QueueID, Timestamp)
    /// The queue has ended.
    case membersGone(QueueID)
  }

  init(at time: Int64, for served: ServedRequest?) {
    (self.time, self.served) = (time, served)
    if case .upkeep? = served?.call { isUpkeep = true } else { isUpkeep = false }
  }
}

struct RecordingSnapshot: RecordedReads {
  let snapshot: any QueueSnapshot
  let served: ServedRequest?

  func load(
    _ keys: [RowKey], of queue: QueueID, into rows: inout [RowKey: RowValue], bytes: Int
  ) throws -> [RowKey] {
    if keys.contains(.queue) { served?.queueRead = PlainID(queue) }
    return try snapshot.load(keys, of: queue, into: &rows, bytes: bytes)
  }
}
