// Everything that a server remembers, as plain values.

import Crypto

struct PlainServer {
  /// Its histories, oldest first.
  var histories: [PlainHistory] = []
  var queues: [PlainID: PlainQueue] = [:]
  /// The operator's tables of access, by schema.
  var access: [String: PlainAccess] = [:]
  /// The oldest versions that may commit, as the operator has set them, by schema.
  var oldestWriters: [String: [Int]] = [:]
  /// Memberships that a home queue may not show yet, by the number that the server gave them.
  var duties: Set<PlainDuty> = []
  /// The newest time that it has stored for its next life.
  var notedTime: Int64 = 0
}

/// A history, which begins when the server may have lost what it acknowledged since a time.
struct PlainHistory: Equatable {
  var id: PlainID
  var since: Int64
}

extension PlainServer {
  /// The present history.
  var history: PlainID? { histories.last?.id }

  /// The time back to which a client that knows a history may have lost something: by any of the losses after it. An
  /// unknown history is older than all.
  func since(after known: PlainID) -> Int64 {
    var oldest = Int64.max
    for history in histories.reversed() {
      if history.id == known { break }
      oldest = min(oldest, history.since)
    }
    return oldest
  }

  /// The time of the newest outcome; 0 if there is none.
  var newestOutcome: Int64 { queues.values.flatMap { $0.outcomes.values.map(\.time) }.max() ?? 0 }

  /// The time that the restore command tells unless the operator names one: ten minutes before the newest outcome, or
  /// before the time that the server has noted, if that is earlier.
  var usualSince: Int64 { max(0, (notedTime > 0 ? min(newestOutcome, notedTime) : newestOutcome) - 600_000) }

  /// The table that judges a queue: that of its schema.
  func access(to queue: PlainID) -> PlainAccess { queues[queue].flatMap { access[$0.row.schema] } ?? PlainAccess() }
}

/// The sender of a request: a user, and the schema of the app that asks.
struct PlainAsker {
  var user: PlainID
  var schema: String

  static let nobody = Self(user: .zero, schema: "")

  var home: PlainID { .home(of: user, schema: schema) }

  /// Whether the queue can be there for this user. Another user's home queue, and the queue of what never leaves a
  /// device, are there for nobody.
  func mayAsk(for queue: PlainID) -> Bool { queue != .zero && (!queue.isReservedForHome || queue == home) }
}

struct PlainDuty: Hashable {
  var user: PlainID
  var queue: PlainID
  /// The queue's head after the change of the membership.
  var head: Int64
}

/// The row of a queue: its state besides its objects, members and outcomes.
struct PlainRow: Equatable {
  /// The name of the schema to which it belongs.
  var schema: String
  var head: Int64 = 0
  var floor: Int64 = 0
  var retention: Int64 = 0
  var digest = PlainDigest()
  var isEnded = false
  /// The newest time of an object.
  var newest: Int64 = 0
}

struct PlainMember: Equatable {
  var role: PlainRole
  var grant: PlainID
  var by: PlainID
  var since: Int64
}

struct PlainObject: Equatable {
  var revision: Int64
  /// Nil: a tombstone.
  var live: PlainLive?
}

struct PlainLive: Equatable {
  var type: String
  var content: [UInt8]
  var newestBy: Int64?
  var createdBy: PlainID
  /// The server's times of the create and of this revision. `PlainTransaction.put` sets them.
  var createdAt: Int64 = 0
  var updatedAt: Int64 = 0

  /// Whether the two differ in times at most.
  func says(_ other: Self?) -> Bool {
    guard let other else { return false }
    return type == other.type && content == other.content && newestBy == other.newestBy && createdBy == other.createdBy
  }
}

struct PlainOutcome: Equatable {
  var status: Status
  var at: Int64
  var time: Int64
  /// The attempt that was decided.
  var attempt: Int64 = 0

  enum Status: Equatable {
    case applied, noEffect, voided, unknown
    case rejected(String)
  }

  /// Whether later operations on the same objects may follow.
  var isDone: Bool { status == .applied || status == .noEffect }
}

/// How many objects are live, and the sum of the terms of all of them.
struct PlainDigest: Equatable {
  var live: Int64 = 0
  var sum: UInt64 = 0

  mutating func add(_ id: PlainID, _ object: PlainObject?) {
    guard let object, let live = object.live else { return }
    self.live += 1
    sum &+= Self.term(id, object.revision, live)
  }

  mutating func remove(_ id: PlainID, _ object: PlainObject?) {
    guard let object, let live = object.live else { return }
    self.live -= 1
    sum &-= Self.term(id, object.revision, live)
  }

  private static func term(_ id: PlainID, _ revision: Int64, _ live: PlainLive) -> UInt64 {
    SHA256.hash(data: id.bytes + revision.bigEndianBytes + live.updatedAt.bigEndianBytes + live.content)
      .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

struct PlainQueue {
  var row: PlainRow
  var members: [PlainID: PlainMember] = [:]
  /// The members when the queue ended.
  private(set) var former: Set<PlainID> = []
  private(set) var objects: [PlainID: PlainObject] = [:]
  var outcomes: [PlainID: PlainOutcome] = [:]
  /// Every revision that was given, ascending, with its object. An object may have newer revisions.
  private(set) var log: [(revision: Int64, object: PlainID, time: Int64)] = []
  /// Live objects in the order of a scan.
  private(set) var scan: [PlainPlace] = []
  /// Ascending by time.
  var marks: [PlainMark] = []
  var files = PlainFiles()

  init(row: PlainRow) { self.row = row }
}

/// The place of an object in a scan: the largest number first, among equal ones the largest id.
struct PlainPlace: Equatable {
  var newestBy: Int64
  var id: PlainID

  init(newestBy: Int64?, id: PlainID) { (self.newestBy, self.id) = (newestBy ?? .min, id) }

  /// Whether this place comes before another one in a scan.
  func isBefore(_ other: Self) -> Bool { (newestBy, id) > (other.newestBy, other.id) }
}

// Changes by transactions.
extension PlainQueue {
  mutating func put(_ object: PlainObject, as id: PlainID, at time: Int64) {
    if let live = objects[id]?.live {
      let place = PlainPlace(newestBy: live.newestBy, id: id)
      scan.remove(at: scan.firstIndex(sorted: { !$0.isBefore(place) }))
    }
    objects[id] = object
    log.append((object.revision, id, time))
    if let live = object.live {
      let place = PlainPlace(newestBy: live.newestBy, id: id)
      scan.insert(place, at: scan.firstIndex(sorted: { !$0.isBefore(place) }))
    }
  }

  /// Ends the queue: everything goes except its row and its outcomes. Its files go with the next upkeep.
  mutating func end(with former: Set<PlainID>) {
    self.former = former
    (members, objects, log, scan, marks) = ([:], [:], [], [], [])
    files.end()
  }

  mutating func forgetMarks(upTo time: Int64) { marks.removeAll { $0.time <= time } }

  mutating func forgetTombstones(upTo revision: Int64) {
    for (id, object) in objects where object.live == nil && object.revision <= revision { objects[id] = nil }
  }
}

extension Array {
  /// The index of the first element for which `holds` is true; `count` if there is none. It must be true for all
  /// elements behind that one too.
  func firstIndex(sorted holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
