// How much one commit may do, and how long it may keep others from writing.

import SyncProtocol

/// The objects that a commit may still change, the bytes of their contents that it may still read and write, and the
/// references to files that it may still look at. A few bytes of changes can name gigabytes of objects.
struct CommitBudget {
  private var objects = ProtocolLimits.objectChanges
  private var bytes = ProtocolLimits.touchedBytes
  private(set) var references = ProtocolLimits.fileReferences
  /// How many changes of members the commit may still make. Each is also written to the home queue of its user, even if
  /// the user's id was made up.
  private var memberChanges = ProtocolLimits.memberChanges
  /// What was done so far, for `CommitTurn`: a unit for each mutation, object, reference to a file and member, and for
  /// 16 KiB of contents.
  private(set) var work = 0

  /// Whether no object was taken yet.
  var isUntouched: Bool { objects == ProtocolLimits.objectChanges }

  mutating func add(work: Int) { self.work += work }

  /// Takes one object, of which so many bytes are read. Returns false if there is no room for it.
  mutating func take(contentBytes: Int) -> Bool {
    work += 1
    objects -= 1
    return take(bytes: contentBytes) && objects >= 0
  }

  /// Takes bytes of contents that are read or written.
  mutating func take(bytes count: Int) -> Bool {
    work += count >> 14
    bytes -= count
    return bytes >= 0
  }

  mutating func take(references count: Int) -> Bool {
    work += count
    references -= count
    return references >= 0
  }

  /// Takes room for changes; returns whether there is enough. Once there was not, later changes get none either, so
  /// that members change in the order of the mutations.
  mutating func take(memberChanges count: Int) -> Bool {
    memberChanges -= count
    return memberChanges >= 0
  }
}

/// How long a commit may keep others from writing.
struct CommitTurn: Sendable {
  /// Units of `CommitBudget.work` between two looks whether others wait.
  var work: Int
  /// Whether others wait to write.
  var isAwaited: @Sendable () -> Bool
}
