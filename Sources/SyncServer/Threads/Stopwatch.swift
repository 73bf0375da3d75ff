// How long something took: of threads, whose order is no matter of the simulation.

/// Runs from the moment it is made.
struct Stopwatch {
  private let start = ContinuousClock.now

  var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}
