// Random operations on lists of every kind, compared with a plain sorted array.

import Foundation
import Snapshots
import TestSupport
import Testing

@Suite struct RandomListTests {
  /// `SNAPSHOT_BATCHES=1000000 swift test -c release --filter RandomListTests` takes a minute, `SNAPSHOT_SEED` is the
  /// first seed. Everything is compared after each batch. Four of five batches have one operation.
  static let batches = number("SNAPSHOT_BATCHES") ?? 3_200
  static let seed = UInt64(number("SNAPSHOT_SEED") ?? 1)

  @Test(arguments: ListKind.all)
  func snapshotsAndChangesEqualThoseOfPlainArray(_ kind: ListKind) throws {
    var (done, operations) = (0, 0)
    var seed = Self.seed
    let wanted = Self.batches / ListKind.all.count
    while done < wanted {
      // Small lists for the corners, larger ones for trees of several levels.
      let objects: UInt32 = [8, 40, 300, 40, 2_500][Int(seed % 5)]
      let batches = min(wanted - done, 100)
      var run = ListRun(kind, seed: seed, objects: objects)
      try run.run(batches: batches)
      done += batches
      operations += run.operations
      seed += 1
    }
    print("\(kind.name): \(operations) operations in \(done) batches, seeds \(Self.seed) to \(seed - 1)")
  }

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }
}
