// The server without HTTP: every rule of the protocol, in front of a storage; knows no model.

import Determinism
import SyncProtocol
public import WireFormat

/// Answers the calls of the protocol (docs/formats/sync-protocol.md) for users whose identity is established.
///
/// Clock, randomness and tasks are those of the environment in which it is made.
public struct SyncService: Sendable {
  let storage: any QueueStorage
  /// Of the storage; a request that names another one is refused. Nil: not compared.
  let history: UUIDValue?
  let polls: PollTable
  let served: ServedAccess
  let invitations: InvitationLimit
  let environment: RuntimeEnvironment
  let clock: ServerClock
  let retry = DutyRetry()
  let walk = OutcomeWalk()
  let transfers = TransferTable()
  let graphQL = GraphQLService(schema: .sync)
  /// Of the content of the objects of one answer.
  let pageBytes: Int
  let mutationsOfATurn: Int

  public init(
    storage: any QueueStorage, history: UUIDValue? = nil, access: AccessTable = AccessTable(),
    polls limits: PollLimits = PollLimits(), invitations: InvitationLimit = .none
  ) {
    self.init(
      storage: storage, history: history, access: access, polls: limits, invitations: invitations,
      pageBytes: ProtocolLimits.pageBytes)
  }

  /// A test has small pages, and short turns: so many mutations are decided before others have theirs.
  package init(
    storage: any QueueStorage, history: UUIDValue?, access: AccessTable = AccessTable(),
    polls limits: PollLimits = PollLimits(), invitations: InvitationLimit = .none, pageBytes: Int,
    mutationsOfATurn: Int = 64
  ) {
    self.invitations = invitations
    served = ServedAccess(access)
    self.storage = storage
    (self.pageBytes, self.mutationsOfATurn) = (pageBytes, mutationsOfATurn)
    self.history = history
    environment = .current
    clock = ServerClock(.current)
    polls = PollTable(environment: .current, limits: limits)
  }

  var now: Timestamp { clock.now }

  /// Judges by another table from now on.
  public func serve(_ access: AccessTable) { served.now = access }

  /// One transaction. Where it fails it may be on disk all the same, with news that polls wait for: they look again.
  func write<Result: Sendable>(
    to queue: UUIDValue, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    do { return try await storage.write(to: queue, body) } catch {
      // Nothing was begun where there was no room for it.
      if (error as? StorageError)?.code != .busy { await wake(queue, leaving: nil) }
      throw error
    }
  }

  /// Something has come into a queue: the polls that wait for that look again. `leaving`: those whose membership may have ended by
  /// it; nil where nobody knows.
  func wake(_ queue: UUIDValue, leaving: [UUIDValue]? = []) async {
    guard await polls.wake(queue) else { return }
    guard let leaving, let members = try? await storage.read({ try $0.members(of: queue).map(\.user) }) else {
      return await polls.wake(members: nil)
    }
    await polls.wake(members: members + leaving)
  }

  /// How many long polls are parked.
  public var parkedPolls: Int { get async { await polls.count } }

  /// Answers every parked poll and parks no other: to be called when the server shuts down.
  public func close() async { await polls.close() }
}
