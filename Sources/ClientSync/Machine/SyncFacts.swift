// The state of the store, as the machine knows it. Pure.

import ClientStore
import WireFormat

struct SyncFacts: Sendable {
  private(set) var places: [QueueID: QueuePlace] = [:]
  private(set) var needs: [QueueID: QueueNeeds] = [:]
  /// Queues that others have added the user to, and that the user has not answered.
  private(set) var invited: Set<QueueID> = []
  /// The server's history, of which the store has heard.
  private(set) var history: HistoryID?

  /// Takes in news, and returns the queues whose facts have changed.
  mutating func learn(_ news: SyncNews) -> Set<QueueID> {
    var changed: Set<QueueID> = []
    for (queue, place) in news.places where places.updateValue(place, forKey: queue) != place { changed.insert(queue) }
    for (queue, need) in news.needs where needs[queue] != need { changed.insert(queue) }
    for queue in needs.keys where news.needs[queue] == nil { changed.insert(queue) }
    needs = news.needs
    if history != news.history {
      // Each queue has to be read once in the new history.
      changed.formUnion(places.keys)
      history = news.history
    }
    if invited != news.invited {
      changed.formUnion(invited.symmetricDifference(news.invited))
      invited = news.invited
    }
    return changed
  }

  func place(of queue: QueueID) -> QueuePlace { places[queue] ?? QueuePlace() }

  /// Whether the store knows anything of a queue.
  func isKnown(_ queue: QueueID) -> Bool { places[queue] != nil || needs[queue] != nil }

  /// Whether a queue is an invitation without an answer. If the user has operations in it, it syncs like an accepted
  /// one.
  func isInvited(_ queue: QueueID) -> Bool { invited.contains(queue) && needs[queue]?.hasOperations != true }

  /// Whether an invitation without an answer is on this device, as a whole or in part.
  func isPreviewed(_ queue: QueueID) -> Bool {
    guard invited.contains(queue), let load = places[queue]?.load else { return false }
    return load != .unread && !load.isGone
  }
}
