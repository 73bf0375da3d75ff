// The server's storage, with an ear: what was put, in which order and in which transaction; and with faults.

import SyncProtocol
import SyncServer
import WireFormat

struct RecordingStorage: QueueStorage {
  private let inner: SQLiteStorage
  private let history: ServerHistory
  private let faults: ServerFaults

  init(_ inner: SQLiteStorage, history: ServerHistory, faults: ServerFaults) {
    (self.inner, self.history, self.faults) = (inner, history, faults)
  }

  /// Without the words: they name the folder, which is another one in each run.
  private func name(of error: any Error) -> String {
    (error as? StorageError).map { "\($0.code)" } ?? "\(error)"
  }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result {
    let served = ServedRequest.current
    do {
      try faults.beforeReading()
      served?.queueRead = nil
      let result = try inner.read { try body(RecordingSnapshot(snapshot: $0, history: history, served: served)) }
      if let served { referee.noteRead(for: served) }
      return result
    } catch {
      served?.hasFailed = true
      history.world.trace("the server cannot read: \(name(of: error))")
      throw error
    }
  }

  func write<Result: Sendable>(
    to queue: UUIDValue, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    let served = ServedRequest.current
    do {
      try faults.beforeWriting()
      let recording = TransactionRecord()
      let result = try write(to: queue, recording, body)
      history.apply(recording)
      if let effects = recording.effects { referee.apply(effects) }
      if recording.doneDuty == nil { served?.isDecided = true }
      try faults.afterWriting()
      return result
    } catch {
      served?.hasFailed = true
      history.world.trace("the server cannot write: \(name(of: error))")
      throw error
    }
  }

  private func write<Result: Sendable>(
    to queue: UUIDValue, _ recording: TransactionRecord, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) throws -> Result {
    do {
      return try inner.write(to: queue) { transaction in
        let recorder = RecordingTransaction(inner: transaction, record: recording, history: history, faults: faults)
        let result = try body(recorder)
        recording.effects = try referee.judge(recording, on: queue, in: transaction)
        return result
      }
    } catch {
      // It failed while it was being committed: whether it is on disk will show when the server is back.
      if recording.effects != nil { history.doubt(recording) }
      throw error
    }
  }

  private var referee: Referee { history.world.server.referee }

  /// What the database really has, for whoever compares.
  func stored<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) throws -> Result {
    try inner.read(body)
  }
}

/// What one transaction put, in order. `@unchecked Sendable`: one thread.
final class TransactionRecord: @unchecked Sendable {
  var puts: [Put] = []
  var newDuties: [HomeDuty] = []
  /// The duty that it has done, or found done.
  var doneDuty: HomeDuty?
  /// By upkeep, one by one.
  var outcomesGone: [UUIDValue] = []
  var notedTime: Timestamp?
  /// What the model makes of it; there once everything was put, and nothing is left but the commit.
  var effects: PlainEffects?

  enum Put {
    case queue(StoredQueue, UUIDValue)
    case object(ObjectState, UUIDValue)
    case outcome(OperationOutcome, UUIDValue)
    case membership(StoredMembership?, UUIDValue, UUIDValue)
    case tombstonesGone(UUIDValue, Int64)
    case outcomesGone(UUIDValue, Timestamp)
  }
}

struct RecordingSnapshot: RecordedReads {
  let snapshot: any QueueSnapshot
  let history: ServerHistory
  let served: ServedRequest?

  func queue(_ id: UUIDValue) throws -> StoredQueue? {
    served?.queueRead = PlainID(id)
    return try snapshot.queue(id)
  }
}
