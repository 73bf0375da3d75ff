// The way in: runs plans, one world each.

package struct Simulation {
  package var plan: Plan
  /// Nil where every promise was kept.
  package private(set) var violation: Violation?
  package private(set) var counts: RunCounts
  /// Equal for equal runs.
  package private(set) var sum: UInt64
  /// Every event in words, where that was asked for.
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

  /// The world is gone when this has returned.
  @inline(never)
  private static func run(_ world: consuming World) -> (Violation?, RunCounts, UInt64, [String]) {
    var violation: Violation?
    do throws(Violation) { try world.run() } catch { violation = error }
    world.close()
    return (violation, world.counts, world.trace.sum, world.trace.lines)
  }
}

extension World {
  /// Frees what the tasks of this world hold.
  func close() {
    for device in devices { device.stop(.kill) }
    server.stop()
  }
}
