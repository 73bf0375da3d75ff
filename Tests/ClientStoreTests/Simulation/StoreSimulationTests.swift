// Seeds by the hundred: whatever happens in whatever order, the store shows and keeps what the oracle says.
//
// `STORE_SEEDS=2000 swift test --filter StoreSimulation` runs more of them; `STORE_SEED=17` runs one and prints it.

import Foundation
import ModelRuntime
import Testing

@Suite struct StoreSimulationTests {
  private static let steps = 120

  private static var seeds: Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["STORE_SEED"].flatMap(UInt64.init) { return seed..<(seed + 1) }
    return 0..<(environment["STORE_SEEDS"].flatMap(UInt64.init) ?? 200)
  }

  /// In memory where the system has a file system for that: a test needs no disk that survives it.
  private static func folder(_ name: String) -> String {
    let shared = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
    return shared + "modelgen-simulation-\(name)-\(UUID().uuidString)"
  }

  private static func run(_ seed: UInt64) throws -> StoreSimulation {
    let folder = folder("\(seed)")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let simulation = try StoreSimulation(seed: seed, folder: folder)
    do { try simulation.run(steps: steps) } catch let violation as Violation {
      Issue.record("seed \(seed): \(violation)\n\(simulation.trace.suffix(20).joined(separator: "\n"))")
    }
    return simulation
  }

  @Test func everySeedHolds() throws {
    var events = EventCounts()
    for seed in Self.seeds { events.add(try Self.run(seed).events) }
    print("store simulation: \(Self.seeds.count) seeds of \(Self.steps) steps: \(events.description)")
    guard Self.seeds.count > 1 else { return }
    for event in StoreSimulation.events { #expect(events.counts[event, default: 0] > 0, "\(event) never happened") }
  }

  @Test(arguments: [3, 5, 8] as [UInt64]) func theSameSeedIsTheSameRun(seed: UInt64) throws {
    #expect(try Self.run(seed).trace == Self.run(seed).trace)
  }
}
