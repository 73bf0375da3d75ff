// The server without HTTP: every rule of the protocol, in front of a storage; knows no model.

import Determinism
import SyncProtocol
import WireFormat

/// Answers the calls of the protocol (docs/formats/sync-protocol.md) for users whose identity is established.
///
/// Clock, randomness and tasks are those of the environment in which it is made.
public struct SyncService: Sendable {
  let storage: any QueueStorage
  let polls: PollTable
  let environment: RuntimeEnvironment
  let retry = DutyRetry()

  public init(storage: any QueueStorage) {
    self.storage = storage
    environment = .current
    polls = PollTable(environment: .current)
  }

  var now: Timestamp { Timestamp(millisecondsSince1970: environment.nowMilliseconds()) }

  /// Answers every parked poll and parks no other: to be called when the server shuts down.
  public func close() async { await polls.close() }
}
