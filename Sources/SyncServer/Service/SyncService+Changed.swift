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
    let found = try await news(sums, request.waitSeconds, asker, onLeaving)
    return ChangedAnswer(time: now, ranges: found.map(\.range), places: found.flatMap(\.places))
  }

  /// Looks for ranges with news, and again after each wake until there are any. Empty when the time is up.
  private func news(
    _ sums: PlaceSums, _ waitSeconds: Int, _ asker: Asker, _ onLeaving: OnLeaving
  ) async throws -> [NamedRange] {
    guard waitSeconds > 0 else { return try await differing(from: sums, asker) }
    var left = patience(waitSeconds)
    while left > 0 {
      // Registered before it looks, so that no commit in between is missed.
      let poll = try await polls.register(of: asker.user)
      onLeaving { [polls, environment] in environment.spawn { await polls.give(up: poll) } }
      let found: [NamedRange]
      do {
        found = try await differing(from: sums, asker)
      } catch {
        await polls.remove(poll)
        throw error
      }
      guard found.isEmpty else {
        await polls.remove(poll)
        return found
      }
      // The change may be elsewhere, as in another app of the user. Then the poll waits on.
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
}

// The look for news.
extension SyncService {
  private struct NamedRange {
    var range: Int
    var places: [ChangedAnswer.Head]
  }

  private struct CountedSums: Sendable {
    var sums: PlaceSums
    var counts: [Int]
  }

  /// The ranges whose sums differ from those of the client, each with all of its queues. Not inlined, because its
  /// variables would be in the frame of each poll that waits.
  @inline(never)
  private func differing(from known: PlaceSums, _ asker: Asker) async throws -> [NamedRange] {
    let empty = PlaceSums(rangesOf: known)
    let none = CountedSums(sums: empty, counts: Array(repeating: 0, count: empty.numbers.count))
    let found = try await walk(asker, none) { found, place in
      found.counts[found.sums.range(of: place.queue)] += 1
      found.sums.add(place.queue, grant: place.grant, cursor: place.head)
    }
    let ranges = try Self.first(of: known.differing(from: found.sums), found.counts)
    // Only a poll that has news reads the places a second time.
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
