// Measures how long something took on a thread. Asks the system's clock, because the simulation has no threads.

/// Starts when it is made.
struct Stopwatch {
  private let start = ContinuousClock.now

  var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}
