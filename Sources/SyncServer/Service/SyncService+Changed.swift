// The long poll: a hint that a queue has something to fetch.

import Determinism
package import SyncProtocol
import WireFormat

extension SyncService {
  /// Registers a closure to be called when the client goes. A task for each poll, to be cancelled then, would be most
  /// of what polls cost.
  package typealias OnLeaving = @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

  /// Waits until one of the queues has something that the client does not have, or the time is up.
  package func changed(
    _ request: ChangedRequest, by asker: Asker, onLeaving: OnLeaving = { _ in }
  ) async throws -> ChangedAnswer {
    let asked = request.queues.map(\.queue).filter(asker.mayAsk)
    let queues = try await news(request.waitSeconds, .queues(asked), asker.user, onLeaving) {
      try await ready(request, asker)
    }
    return ChangedAnswer(time: now, queues: queues)
  }

  /// The same for all queues of the user in the app, except those that the request names.
  package func changedAll(
    _ request: ChangedAllRequest, by asker: Asker, onLeaving: OnLeaving = { _ in }
  ) async throws -> ChangedAllAnswer {
    let found = try await news(request.waitSeconds, .all, asker.user, onLeaving) {
      try await differing(request, asker)
    }
    return ChangedAllAnswer(time: now, ranges: found.map(\.range), places: found.flatMap(\.places))
  }

  /// Looks for queues with news, and again after each wake until there are any. Empty when the time is up.
  private func news<Found: Sendable>(
    _ waitSeconds: Int, _ watched: PollTable.Watched, _ user: UserID, _ onLeaving: OnLeaving,
    look: () async throws -> [Found]
  ) async throws -> [Found] {
    guard waitSeconds > 0 else { return try await look() }
    var left = patience(waitSeconds)
    while left > 0 {
      // Registered before it looks, so that no commit in between is missed.
      let poll = try await polls.register(watched, of: user)
      onLeaving { [polls, environment] in environment.spawn { await polls.give(up: poll) } }
      let found: [Found]
      do {
        found = try await look()
      } catch {
        await polls.remove(poll)
        throw error
      }
      guard found.isEmpty else {
        await polls.remove(poll)
        return found
      }
      // The change may not concern this user. Then the poll waits on.
      guard let rest = await polls.wait(poll, milliseconds: left) else { return [] }
      // A poll that is woken while it looks does not wait at all. The look counts too, so that the poll ends.
      left = rest < left ? rest : left - Self.lookMilliseconds
    }
    return []
  }

  /// The time that a look counts as. It is not measured: the clock is read where an answer or a commit gets its time only.
  private static let lookMilliseconds: Int64 = 10

  /// The wait in milliseconds, shortened at random by up to a tenth, so that polls that began together do not come back
  /// together.
  private func patience(_ seconds: Int) -> Int64 {
    let whole = Int64(seconds) * 1000
    return whole - Int64(environment.randomBits() % UInt64(whole / 10 + 1))
  }

  /// Not inlined, because its variables would be in the frame of each poll that waits.
  @inline(never)
  private func ready(_ request: ChangedRequest, _ asker: Asker) async throws -> [QueueID] {
    // Set here and not around the wait, where each waiting poll would hold it.
    try await Caller.$user.withValue(asker.user) {
      try await storage.read { snapshot in
        try request.queues.filter { try $0.isBehind(asker, room, snapshot) }.map(\.queue)
      }
    }
  }
}

// Polls over all queues.
extension SyncService {
  private struct NamedRange {
    var range: Int
    var places: [ChangedAllAnswer.Head]
  }

  private struct Sums: Sendable {
    var sums: PlaceSums
    var counts: [Int]
  }

  /// The ranges whose sums differ from those of the client, each with all of its queues.
  @inline(never)
  private func differing(_ request: ChangedAllRequest, _ asker: Asker) async throws -> [NamedRange] {
    let empty = PlaceSums(rangesOf: request.sums)
    let except = Set(request.except)
    let none = Sums(sums: empty, counts: Array(repeating: 0, count: empty.numbers.count))
    let found = try await walk(asker, none) { found, place in
      guard !except.contains(place.queue) else { return }
      found.counts[found.sums.range(of: place.queue)] += 1
      found.sums.add(place.queue, epoch: place.epoch, grant: place.grant, cursor: place.head)
    }
    let ranges = try Self.first(of: request.sums.differing(from: found.sums), found.counts)
    // Only a poll that has news reads the places a second time.
    if ranges.isEmpty { return [] }
    let places = try await walk(asker, [Int: [ChangedAllAnswer.Head]]()) { places, place in
      let range = empty.range(of: place.queue)
      guard ranges.contains(range), !except.contains(place.queue) else { return }
      places[range, default: []].append(ChangedAllAnswer.Head(place))
    }
    return ranges.map { NamedRange(range: $0, places: places[$0] ?? []) }
  }

  /// Visits the queues of a user in an app, some in each read, so that others have turns between. What changes meanwhile
  /// wakes the poll again: it has registered before.
  private func walk<Found: Sendable>(
    _ asker: Asker, _ nothing: Found, _ visit: @Sendable (inout Found, QueueHead) -> Void
  ) async throws -> Found {
    var (found, last): (Found, QueueID?) = (nothing, nil)
    repeat {
      (found, last) = try await Caller.$user.withValue(asker.user) {
        try await storage.read { [found, last, placesAtOnce] snapshot in
          var found = found
          let places = try snapshot.places(of: asker.user, schema: asker.schema, after: last, limit: placesAtOnce)
          for place in places { visit(&found, place) }
          return (found, places.count == placesAtOnce ? places.last?.queue : nil)
        }
      }
    } while last != nil
    return found
  }

  /// The first ranges that together have at most `ProtocolLimits.changedQueues` queues, but at least one range. Throws
  /// `tooLarge` if that one has more than `ProtocolLimits.changedPlaces`.
  private static func first(of ranges: [Int], _ counts: [Int]) throws -> [Int] {
    var count = 0
    let first = ranges.prefix { range in
      count += counts[range]
      return count <= ProtocolLimits.changedQueues
    }
    guard first.isEmpty, let range = ranges.first else { return Array(first) }
    guard counts[range] <= ProtocolLimits.changedPlaces else {
      throw RequestError(.tooLarge, "So many queues need more ranges.")
    }
    return [range]
  }
}

extension ChangedAllAnswer.Head {
  fileprivate init(_ place: QueueHead) {
    self.init(queue: place.queue, epoch: place.epoch, grant: place.grant, head: place.head)
  }
}

extension ChangedRequest.Queue {
  fileprivate func isBehind(_ asker: Asker, _ room: RoomLimit, _ snapshot: any QueueSnapshot) throws -> Bool {
    guard asker.mayAsk(for: queue) else { return false }
    guard let stored = try snapshot.queue(queue) else {
      return try queue == asker.home && room.allowsQueue(of: asker.user, snapshot)
    }
    guard stored.schema == asker.schema else { return false }
    guard let membership = try snapshot.membership(of: asker.user, in: queue) else { return true }
    return stored.head != cursor || epoch.map { $0 != stored.epoch } ?? false
      || grant.map { $0 != membership.grant } ?? false
  }
}
