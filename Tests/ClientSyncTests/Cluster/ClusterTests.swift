// Real devices and two servers with one PostgreSQL, by seeds: servers die, connections are cut, requests are lost.
//
// `Scripts/cluster-worlds` runs more of them.

import Foundation
import TestSupport
import Testing

@Suite struct ClusterTests {
  @Test func devicesAndServersAgreeWhateverDies() async throws {
    guard let cluster = try PostgresCluster.start() else { return }
    let environment = ProcessInfo.processInfo.environment
    let first = environment["MODELGEN_FIRST_WORLD"].flatMap { UInt64($0) } ?? 1
    let worlds = environment["MODELGEN_WORLDS"].flatMap { UInt64($0) } ?? 10
    var counts: [String: Int] = [:]
    for seed in first..<first + worlds {
      let world = try ClusterWorld(cluster, seed: seed)
      try await world.run(steps: 20)
      #expect(world.problems.isEmpty, "seed \(seed): \(world.problems.prefix(9))")
      counts.merge(world.counts) { $0 + $1 }
      if seed % 100 == 0 { print("world \(seed) has ended") }
    }
    print(
      "\(worlds) worlds from seed \(first) on: \(counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    for what in ["servers killed", "connections cut", "syncs that failed"] { #expect(counts[what, default: 0] > 0) }
  }
}
