// Creates of deleted notes: what they say of the delete, and whether the note comes back. See
// docs/formats/sync-server.md, "What changes do".

import ModelSupport
import StoreTestSupport

/// A delete that the user had seen does not stop a create; one that the user had not seen wins.
struct NoteRevival: Hashable, Sendable {
  /// The cursor whose changes were on the screen when the create was performed; nil if nothing was.
  var seen: Int64?
  /// Whether the outbox held a delete of the note.
  var isReviving = false

  /// Whether the note comes back over a delete with this revision.
  func overcomes(_ tombstone: Int64) -> Bool {
    if isReviving { return true }
    guard let seen else { return false }
    return tombstone <= seen
  }
}

extension NoteRevival {
  /// Nil for an operation that names a history that the server never had.
  init?(_ said: Revival) {
    guard said.seen == nil || said.seen?.history == ServerPages.history else { return nil }
    self.init(seen: said.seen?.cursor, isReviving: said.isReviving)
  }
}

extension StoreState {
  /// Returns the revival that a create of this note would carry now. A cancelled delete counts too, because the server
  /// may have applied it.
  func revival(of note: NoteID) -> NoteRevival {
    let isReviving = pending.contains { $0.effects.contains { $0.note == note && $0.effect == .delete } }
    return NoteRevival(seen: cursor > 0 ? cursor : nil, isReviving: isReviving)
  }

  /// Whether a delete stops a create of a note that does not exist. The server will not create the note then either.
  func isStopped(_ change: NoteChange) -> Bool {
    guard case .create(_, let revival) = change.effect, confirmed[change.note] == nil,
      let tombstone = tombstones[change.note]
    else { return false }
    return !revival.overcomes(tombstone)
  }
}

extension StoreSimulation {
  /// Invariant 4: each create that is sent says what the user had seen when it was performed.
  func checkRevivals(_ sent: [CommitRequest.Mutation]) throws {
    for mutation in sent {
      let effects = oracle.memory.pending.first { $0.id == mutation.operation }?.effects ?? []
      for change in try OperationChanges(bytes: mutation.changes).objects {
        guard case .create(_, _, let said) = change.action else { continue }
        let effect = effects.first { $0.note.rawValue == change.object }?.effect
        guard case .create(_, let revival) = effect, NoteRevival(said) == revival else {
          throw Violation(
            description: "invariant 4: \(mutation.operation.short) says \(said), and was performed as \(effect as Any)")
        }
      }
    }
  }

  /// Counts the kinds of deletes that a create meets when it is performed.
  func countDeletes(under id: NoteID, _ revival: NoteRevival) {
    if revival.isReviving { count("create over an own delete") }
    guard let tombstone = server.tombstone(of: id) else { return }
    count(tombstone <= revival.seen ?? 0 ? "create over a seen delete" : "create over an unseen delete")
  }

  static let revivalNames =
    [
      "create over an own delete", "create over a seen delete", "create over an unseen delete",
      "pending create stopped by a delete",
    ] + SimulatedServer.countNames
}
