// The long poll: a hint that a queue has something to fetch.

import Determinism
package import SyncProtocol
import WireFormat

extension SyncService {
  /// Registers a closure to be called when the client goes. A task for each poll, to be cancelled then, would be most
  /// of what polls cost.
  package typealias OnLeaving = @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

  /// Waits until a queue of the user in the app is at another place than the client knows, or the time is up. Without
  /// sums the client asks for the time only: it gets that at once, and nothing is read.
  package func changed(
    _ request: ChangedRequest, by asker: Asker, onLeaving: OnLeaving = { _ in }
  ) async throws -> ChangedAnswer {
    guard let sums = request.sums else { return ChangedAnswer(time: now, ranges: [], places: []) }
    let found = try await news(sums, request, asker, onLeaving)
    return ChangedAnswer(
      time: now, ranges: found.ranges.map(\.range), places: found.ranges.flatMap(\.places), signals: found.signals)
  }

  /// Looks for news, and again after each wake until there are any. Empty when the time is up.
  private func news(
    _ sums: PlaceSums, _ request: ChangedRequest, _ asker: Asker, _ onLeaving: OnLeaving
  ) async throws -> PollNews {
    guard request.waitSeconds > 0 else { return try await look(sums, request.watched, asker) }
    var left = patience(request.waitSeconds)
    while left > 0 {
      // Registered before it looks, so that no commit in between is missed.
      let poll = try await polls.register(of: asker.user, watching: request.watched.map(\.queue))
      onLeaving { [polls, environment] in environment.spawn { await polls.give(up: poll) } }
      let found: PollNews
      do {
        found = try await look(sums, request.watched, asker)
      } catch {
        await polls.remove(poll)
        throw error
      }
      guard found.isEmpty else {
        await polls.remove(poll)
        return found
      }
      if !request.watched.isEmpty { await polls.watch(found.watched, by: poll) }
      // The change may be elsewhere, as in another app of the user. Then the poll waits on.
      guard let rest = await polls.wait(poll, milliseconds: left) else { return PollNews() }
      // A poll that is woken while it looks does not wait at all. The look counts too, so that the poll ends.
      left = rest < left ? rest : left - Self.lookMilliseconds
    }
    return PollNews()
  }

  /// The time that a look counts as. It is not measured: the clock is read where an answer or a commit gets its time only.
  private static let lookMilliseconds: Int64 = 10

  /// The wait in milliseconds, shortened at random by up to a tenth, so that polls that began together do not come back
  /// together.
  private func patience(_ seconds: Int) -> Int64 {
    let whole = Int64(seconds) * 1000
    return whole - Int64(environment.randomBits() % UInt64(whole / 10 + 1))
  }
}

// The look for news.
extension SyncService {
  private struct PollNews {
    var ranges: [NamedRange] = []
    var signals: [QueueSignals] = []
    /// The watched queues of which the user is a member.
    var watched: Set<QueueID> = []

    var isEmpty: Bool { ranges.isEmpty && signals.isEmpty }
  }

  private struct NamedRange {
    var range: Int
    var places: [ChangedAnswer.Head]
  }

  private struct CountedSums: Sendable {
    var sums: PlaceSums
    var counts: [Int]
    /// The watched queues of which the user is a member.
    var watched: Set<QueueID> = []
  }

  /// The ranges whose sums differ from those of the client, each with all of its queues, and the signals that differ. Not
  /// inlined, because its variables would be in the frame of each poll that waits.
  @inline(never)
  private func look(_ known: PlaceSums, _ watched: [WatchedQueue], _ asker: Asker) async throws -> PollNews {
    let empty = PlaceSums(rangesOf: known)
    let none = CountedSums(sums: empty, counts: Array(repeating: 0, count: empty.numbers.count))
    // Taken first: a member who is gone by the read below is not told them.
    let shown = watched.isEmpty ? [] : await signals.news(watched, for: asker.user)
    let queues = Set(watched.map(\.queue))
    let found = try await walk(asker, none) { found, place in
      found.counts[found.sums.range(of: place.queue)] += 1
      found.sums.add(place.queue, grant: place.grant, cursor: place.head)
      if queues.contains(place.queue) { found.watched.insert(place.queue) }
    }
    let ranges = try Self.first(of: known.differing(from: found.sums), found.counts)
    let left = watched.filter { !found.watched.contains($0.queue) && $0.state != nil }
    return PollNews(
      ranges: try await named(ranges, empty, asker),
      signals: shown.filter { found.watched.contains($0.queue) } + left.map { .none(in: $0.queue) },
      watched: found.watched)
  }

  /// The ranges with all of their queues. Only a poll that has news reads the places a second time.
  private func named(_ ranges: [Int], _ empty: PlaceSums, _ asker: Asker) async throws -> [NamedRange] {
    if ranges.isEmpty { return [] }
    let places = try await walk(asker, [Int: [ChangedAnswer.Head]]()) { places, place in
      let range = empty.range(of: place.queue)
      if ranges.contains(range) { places[range, default: []].append(place) }
    }
    return ranges.map { NamedRange(range: $0, places: places[$0] ?? []) }
  }

  /// Visits the queues of a user in an app, some in each read, so that others have turns between. What changes meanwhile
  /// wakes the poll again: it has registered before.
  private func walk<Found: Sendable>(
    _ asker: Asker, _ nothing: Found, _ visit: @Sendable (inout Found, ChangedAnswer.Head) -> Void
  ) async throws -> Found {
    var (found, last): (Found, QueueID?) = (nothing, nil)
    repeat {
      // The user is set here and not around the wait, where each waiting poll would hold it.
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
