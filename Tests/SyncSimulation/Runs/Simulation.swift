// The entry to the simulation: runs a plan in a world of its own.

package struct Simulation {
  package var plan: Plan
  /// Nil if every promise was kept.
  package private(set) var violation: Violation?
  package private(set) var counts: RunCounts
  /// A checksum of all that happened: equal for equal runs.
  package private(set) var sum: UInt64
  /// Every event in words; empty unless the run is traced.
  package private(set) var trace: [String]

  /// Runs a plan to its end, or to the first promise that is broken.
  package init(_ plan: Plan, isTraced: Bool = false) {
    self.plan = plan
    let remains = Remains()
    (violation, counts, sum, trace) = Self.run(World(plan, isTraced: isTraced, remains))
    if violation == nil, !remains.names.isEmpty {
      violation = Violation("memory: still there: \(remains.names.joined(separator: ", "))")
    }
  }

  /// Not inlined, so that the world is gone when this has returned.
  @inline(never)
  private static func run(_ world: consuming World) -> (Violation?, RunCounts, UInt64, [String]) {
    var violation: Violation?
    do throws(Violation) { try world.run() } catch { violation = error }
    world.close()
    return (violation, world.counts, world.trace.sum, world.trace.lines)
  }
}

extension World {
  /// Ends all devices and the server, so that tasks free what they hold.
  func close() {
    for device in devices { device.stop(.kill) }
    server.stop()
  }
}
