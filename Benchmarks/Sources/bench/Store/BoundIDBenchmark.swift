// Measures making and checking an id that is bound to its queue, beside the hash that each row needs anyway.

import Foundation
import ModelSupport

enum BoundIDBenchmark {
  static func report(_ effort: Effort) throws -> Report {
    let queue = StorePhotos.queue
    let numbers = 0..<1_000 as Range<UInt64>
    let ids = numbers.map { UUIDValue.bound(to: queue, chosen: $0 << 16) }
    let content = try StorePhotos.photo(1).encoded()
    let subjects = [
      Subject(name: term, operations: ids.count) {
        ids.reduce(0) { sum, id in
          content.withUnsafeBytes { bytes in
            sum &+ Int(truncatingIfNeeded: QueueDigest.term(id: id, revision: 1, updatedAt: .zero, content: bytes))
          }
        }
      },
      Subject(name: making, operations: ids.count) {
        numbers.reduce(0) { $0 &+ Int(truncatingIfNeeded: UUIDValue.bound(to: queue, chosen: $1 << 16).low) }
      },
      Subject(name: checking, operations: ids.count) { ids.count { $0.isBound(to: queue) } },
    ]
    let (measured, checksum) = try measureInTurns(subjects, rounds: effort.rounds)
    let rows = try subjects.map { subject in
      guard let own = measured[subject.name], let peer = measured[term] else { throw NotMeasured() }
      // The one allocation is inside swift-crypto: its SHA-256 has its state on the heap.
      let aims: [(Aim, Double)] = subject.name == checking ? [(.atMost(1, "allocations"), own.allocations)] : []
      return Report.Row(
        what: subject.name, figure: String(format: "%.0f ns, %.2f allocations", own.nanoseconds, own.allocations),
        ratio: String(format: "%.2f", own.nanoseconds / peer.nanoseconds), aims: aims)
    }
    let heading =
      "\(ids.count) ids of one queue, medians of \(effort.rounds - 1) interleaved rounds, × the first; checksum \(checksum)."
    return Report(heading: heading, rows: rows)
  }

  private static let term = "the digest's term of a photo"
  private static let making = "make a bound id"
  private static let checking = "check one"

  private struct NotMeasured: Error {}
}
