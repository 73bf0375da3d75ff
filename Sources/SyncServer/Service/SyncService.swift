// The sync server without HTTP: every rule of the protocol, in front of a storage. Knows no model.

import Determinism
import GraphQL
package import SyncProtocol
import WireFormat

/// Answers the calls of the protocol (docs/formats/sync-server.md) for authenticated users.
///
/// Takes clock, randomness and tasks from the environment in which it is made.
package struct SyncService: Sendable {
  let storage: any QueueStorage
  /// The histories of the storage. A request that names another one than the present is refused.
  package let history: HistoryTable
  let polls: PollTable
  let signals: SignalTable
  let served: ServedAccess
  let invitations: InvitationLimit
  let room: RoomLimit
  let environment: RuntimeEnvironment
  let clock: ServerClock
  let retry = DutyRetry()
  let walk = OutcomeWalk()
  let transfers = TransferTable()
  let versions = SeenVersions()
  let graphQL = GraphQLService(schema: .sync, limits: .sync)
  /// The most bytes of content that one answer holds.
  let pageBytes: Int
  let workOfATurn: Int
  /// How many objects one transaction removes, of those that nobody is served any more.
  let rowsAtOnce: Int
  /// How many queues of a user a poll looks at in one read.
  let placesAtOnce: Int

  package init(
    storage: any QueueStorage, history: HistoryTable = HistoryTable(), access: AccessTables = AccessTables(),
    polls limits: PollLimits = PollLimits(), invitations: InvitationLimit = .none, room: RoomLimit = .none
  ) {
    self.init(
      storage: storage, history: history, access: access, polls: limits, invitations: invitations,
      room: room, pageBytes: ProtocolLimits.pageBytes)
  }

  /// For tests, with small pages and short turns: a commit does `workOfATurn` before others may write, and a removal
  /// removes `rowsAtOnce`. A poll looks at `placesAtOnce`.
  package init(
    storage: any QueueStorage, history: HistoryTable = HistoryTable(), access: AccessTables = AccessTables(),
    polls limits: PollLimits = PollLimits(), invitations: InvitationLimit = .none,
    room: RoomLimit = .none, pageBytes: Int,
    workOfATurn: Int = 2 * 64, rowsAtOnce: Int = 100, placesAtOnce: Int = 1_000
  ) {
    (self.invitations, self.room) = (invitations, room)
    served = ServedAccess(access)
    self.storage = storage
    (self.pageBytes, self.workOfATurn, self.rowsAtOnce) = (pageBytes, workOfATurn, rowsAtOnce)
    self.placesAtOnce = placesAtOnce
    self.history = history
    environment = .current
    clock = ServerClock(.current)
    polls = PollTable(environment: .current, limits: limits)
    signals = SignalTable(environment: .current, clock: clock, polls: polls)
  }

  var now: Timestamp { clock.now }

  /// The oldest version of a schema whose apps may commit; nil if all may.
  package func oldestWriter(of schema: String) -> SchemaVersion? { served.now.oldestWriters[schema] }

  /// Replaces the tables of access.
  package func serve(_ access: AccessTables) { served.now = access }

  /// Decides in one transaction. If it fails it may be on disk all the same, so all polls look again.
  func decide<Result: Sendable>(
    on queue: QueueID, reading first: [RowKey], then likely: [RowKey] = [],
    _ decision: @Sendable (inout UnitOfWork) throws -> Result
  ) async throws -> Result {
    do { return try await storage.decide(on: queue, reading: first, then: likely, decision) } catch {
      // A busy storage has not begun the transaction, and a decision that refuses the request has written nothing.
      if !(error is RequestError), (error as? StorageError)?.code != .busy { await wake(queue, leaving: nil) }
      throw error
    }
  }

  /// Wakes the polls of a queue's members. `leaving` are users whose membership may have ended just now. If it is nil
  /// they are unknown, and the polls of all users wake.
  func wake(_ queue: QueueID, leaving: [UserID]? = []) async {
    let news = QueueNews(queue, leaving: leaving)
    storage.tellOthers(.queue(news))
    await hear(news)
  }

  /// Takes in what another server tells. Nil: any queue may have changed.
  package func hear(_ message: ServerMessage?) async {
    switch message {
    case nil: await polls.wake(nil, of: .zero)
    case .queue(let news): await hear(news)
    case .signals(let news): _ = await signals.show(news.request, by: news.user)
    }
  }

  private func hear(_ news: QueueNews) async {
    if news.leaving != [] {
      await endTransfers(in: news.queue)
      await signals.remove(news.leaving, from: news.queue)
    }
    // Where nobody waits, the members are not read.
    guard await polls.count > 0 else { return }
    guard let leaving = news.leaving,
      let members = try? await storage.read({ try Array($0.members(of: news.queue).keys) })
    else { return await polls.wake(nil, of: news.queue) }
    await polls.wake(members + leaving, of: news.queue)
  }

  /// How many long polls wait.
  package var parkedPolls: Int { get async { await polls.count } }

  /// Answers every waiting poll, and lets no poll wait any more. To be called when the server shuts down.
  package func close() async { await polls.close() }
}
