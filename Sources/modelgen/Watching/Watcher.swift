// Decides when a change of files asks for a run. Pure: it is told what is on the disk, and does not look itself.

/// What tells one state of a file from another, without reading it.
struct FileStamp: Hashable {
  var size: Int
  /// Nanoseconds since 1970.
  var modified: Int
  /// Changes where an editor puts a new file into the place of the old one.
  var number: UInt64
}

struct Watcher {
  enum Decision: Hashable {
    case wait
    /// The names that have changed since the last run, sorted; none for the first run.
    case run(changed: [String])
  }

  /// With files that never settle, this many looks are waited before a run.
  static let mostUnsettledLooks = 12

  /// The files as they were before the last run; nil before the first.
  private var ran: [String: FileStamp]?
  /// The files at the last look.
  private var seen: [String: FileStamp] = [:]
  private var unsettledLooks = 0

  /// Takes the files as they are now, before a run reads them: the next look finds what changes during the run.
  ///
  /// A change counts once two looks agree on it. Editors take a file away for a moment when they save, and branches
  /// change many files one after the other.
  mutating func look(_ now: [String: FileStamp]) -> Decision {
    defer { seen = now }
    guard let before = ran else {
      ran = now
      return .run(changed: [])
    }
    guard now != before else {
      unsettledLooks = 0
      return .wait
    }
    if now != seen, unsettledLooks < Self.mostUnsettledLooks {
      unsettledLooks += 1
      return .wait
    }
    unsettledLooks = 0
    ran = now
    return .run(changed: Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted())
  }
}
