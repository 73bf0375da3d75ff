// Keeps the keys of a sign-in service, and reads them again when they may have changed.

import Commands
import SyncProtocol
import Synchronization

/// Nothing is read while no token comes.
///
/// - Keys that are stale are read again beside the tokens that they still check.
/// - A token with a key that is not known waits until they are read again: services that change their keys in a hurry
///   sign with them at once.
/// - From one beginning to the next there are at least half a minute, whatever tokens come.
/// - Where it fails, the keys of before stay in force.
actor KeySetSource {
  nonisolated let place: String
  private let read: @Sendable () async throws -> KeySetPlace.Published
  private let now: @Sendable () -> ContinuousClock.Instant
  private let report: @Sendable (String) -> Void

  private var known: (set: KeySet, staleAt: ContinuousClock.Instant)?
  private var reading: Task<Void, Never>?
  private var lastBeginning: ContinuousClock.Instant?
  private var lastProblem: String?

  static let leastPause = Duration.seconds(30)

  /// `report` takes what an operator should know: a problem, once, and its end.
  init(
    _ place: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    report: @escaping @Sendable (String) -> Void, read: @escaping @Sendable () async throws -> KeySetPlace.Published
  ) {
    (self.place, self.now, self.report, self.read) = (place, now, report, read)
  }

  init(_ place: KeySetPlace, report: @escaping @Sendable (String) -> Void) {
    self.init(place.description, report: report) { try await place.read() }
  }

  /// The keys that may have signed a token, of those that are known. Nil if none ever were.
  func knownKeys(for header: TokenHeader) -> [KeySet.Key]? {
    guard let known else { return nil }
    if now() >= known.staleAt { begin() }
    return known.set.keys(for: header)
  }

  /// The same, once keys have been read again, if they may be read now.
  func newestKeys(for header: TokenHeader) async -> [KeySet.Key]? {
    begin()
    await reading?.value
    return known?.set.keys(for: header)
  }

  /// Reads the keys now, as an operator demands. Returns how many there are; nil if that has failed, which was reported.
  func readAgain() async -> Int? {
    await reading?.value
    lastBeginning = nil
    begin()
    await reading?.value
    return lastProblem == nil ? known?.set.keys.count : nil
  }

  /// Begins to read, unless that is under way or was begun just now.
  private func begin() {
    let now = now()
    guard reading == nil, lastBeginning.map({ now - $0 >= Self.leastPause }) ?? true else { return }
    lastBeginning = now
    reading = Task {
      await readOnce()
      reading = nil
    }
  }

  private func readOnce() async {
    do {
      let published = try await read()
      known = (try await KeySet(parsing: published.json), now() + published.fresh)
      if lastProblem != nil { report("The keys of \(place) can be read again.") }
      lastProblem = nil
    } catch {
      let problem = "The keys of \(place) cannot be read. \(error)"
      let stay = known == nil ? "No token of theirs is good until they are." : "The previous keys stay in use."
      if problem != lastProblem { report("\(problem) \(stay)") }
      lastProblem = problem
    }
  }
}
