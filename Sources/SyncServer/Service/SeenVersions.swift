// The versions of schemas that users have, collected until they are written down.

import Foundation
import SyncProtocol
package import WireFormat

/// A user who was seen with a version of a schema. Of each, the storage keeps the newest day.
package struct SeenVersion: Hashable, Sendable {
  package var schema: String
  /// As the app writes it; empty if it names none.
  package var version: String
  package var user: UserID

  package init(schema: String, version: String, user: UserID) {
    (self.schema, self.version, self.user) = (schema, version, user)
  }
}

/// Collects what requests name, so that no request waits for a disk. The server writes it down when it notes the time;
/// what a crash takes comes again with the next requests.
///
/// `@unchecked Sendable`: its lock guards all state.
final class SeenVersions: @unchecked Sendable {
  private let lock = NSLock()
  /// Not written yet.
  private var fresh: Set<SeenVersion> = []
  /// Written under `day`.
  private var written: Set<SeenVersion> = []
  private var day: Int64 = 0

  /// The most entries of either set. Behind it, new ones are left for a later request, and written ones are forgotten.
  private static let most = 100_000

  func note(_ asker: Asker) {
    let seen = SeenVersion(schema: asker.schema, version: asker.version?.description ?? "", user: asker.user)
    lock.withLock {
      if fresh.count < Self.most, !written.contains(seen) { fresh.insert(seen) }
    }
  }

  /// Some that are to be written under `day`, sorted; empty if there are none.
  func next(_ limit: Int, on day: Int64) -> [SeenVersion] {
    lock.withLock {
      if day != self.day { (self.day, written) = (day, []) }
      return Array(fresh.sorted().prefix(limit))
    }
  }

  func didWrite(_ seen: [SeenVersion]) {
    lock.withLock {
      if written.count > Self.most { written = [] }
      fresh.subtract(seen)
      written.formUnion(seen)
    }
  }
}

extension SeenVersion: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.schema, left.version, left.user) < (right.schema, right.version, right.user)
  }
}

extension SyncService {
  /// The day since 1970, by the server's clock.
  package var today: Int64 { clock.now.millisecondsSince1970 / UpkeepRules.day }

  /// Writes down who was seen with which version, in short transactions.
  func storeSeenVersions() async throws {
    let day = today
    while true {
      let seen = versions.next(1_000, on: day)
      if seen.isEmpty { return }
      try await storage.write(to: .zero) { transaction in
        for one in seen { try transaction.put(one, on: day) }
      }
      versions.didWrite(seen)
    }
  }
}
