// Which part of which file goes next. Pure: time, chance and what there is come from outside.

import ClientStore
import SyncProtocol
import WireFormat

struct FileMachine: Sendable {
  var limits: FileLimits
  var isExpensive = false
  /// Syncing once does not wait for failures of earlier runs.
  private var isOnce = false
  /// The files that are under way, or have been: one may go up and come down at the same time.
  private(set) var works: [Key: Work] = [:]
  /// The server as a whole.
  private(set) var connection = Backoff()
  /// When the limit of bytes lets the next part go.
  private var paceUntil: Int64 = 0
  private var turns = 0

  static let firstPart: Int64 = 1 << 20
  private var smallestPart: Int64 { limits.partBytes.lowerBound }
  /// A part that was quicker is followed by a larger one, one that was slower by a smaller one; in milliseconds.
  static let quick: Int64 = 1_500
  static let slow: Int64 = 6_000

  struct Key: Hashable, Sendable, Comparable {
    var place: FilePlace
    var kind: FileWork.Kind

    static func < (left: Self, right: Self) -> Bool {
      left.place == right.place ? left.kind == .upload && right.kind == .fetch : left.place < right.place
    }
  }

  struct Work: Hashable, Sendable {
    var turn: FileTurn?
    /// How much is there: of an upload on the server, of a fetch on this device; nil before that was asked.
    var offset: Int64?
    var part: Int64
    var backoff = Backoff()
    /// Nothing is tried again in this run.
    var isFinal = false
  }

  init(_ limits: FileLimits) { self.limits = limits }
}

/// One request about a file, from its beginning to its end.
struct FileTurn: Hashable, Sendable {
  let place: FilePlace
  let kind: Kind
  let number: Int
  let beganAt: Timestamp

  enum Kind: Hashable, Sendable {
    /// How much of an upload has come.
    case ask
    case part(offset: Int64, count: Int64, size: Int64)
    case fetch(count: Int64)
  }

  var key: FileMachine.Key {
    if case .fetch = kind { return FileMachine.Key(place: place, kind: .fetch) }
    return FileMachine.Key(place: place, kind: .upload)
  }

  /// How it ended.
  enum Result: Hashable, Sendable {
    /// So much is there, and it goes on.
    case moved(to: Int64)
    /// Nothing is left to do, or nobody wants it any more.
    case done
    /// The server has other bytes than were sent, or nothing: it is asked again.
    case unclear(FileError)
    /// This file does not go on for now.
    case failed(FileError, retryAfterMilliseconds: Int64)
    /// Smaller parts may go.
    case tooLargePart
    /// The server was not reached, or serves nobody.
    case unreachable(SyncFailure)
    /// Nobody waits for the answer any more.
    case nothing
  }
}

/// The files that a store has to move, asked for as far as there is room.
struct FileFacts {
  var counts: (uploads: Int, fetches: Int)
  /// At most so many, which the closure lets through.
  var uploads: (Int, (FilePlace) -> Bool) -> [FileWork]
  var fetches: (Int, (FilePlace) -> Bool) -> [FileWork]
}

// Beginning transfers.
extension FileMachine {
  /// The requests to begin now; each is noted as begun.
  mutating func begin(_ facts: FileFacts, at now: Timestamp) -> [FileTurn] {
    guard connection.isDue(at: now), isPaced(at: now) else { return [] }
    // After a failure one request finds out whether the server is back.
    let most = connection.hasFailed ? 1 : limits.maximumTransfers
    var begun: [FileTurn] = []
    let fetchRoom = min(Self.transfers(for: facts.counts.fetches, atMost: most), most - busy)
    if facts.counts.fetches > 0 { begin(.fetch, fetchRoom - busy(.fetch), facts.fetches, &begun, at: now) }
    guard facts.counts.uploads > 0, !isExpensive || limits.uploadsOnExpensiveNetworks else { return begun }
    let uploadRoom = min(Self.transfers(for: facts.counts.uploads, atMost: most) - busy(.upload), most - busy)
    begin(.upload, uploadRoom, facts.uploads, &begun, at: now)
    return begun
  }

  /// One, and one more whenever more than twice as many wait.
  static func transfers(for waiting: Int, atMost most: Int) -> Int { min(max((waiting + 1) / 2, 1), most) }

  private mutating func begin(
    _ kind: FileWork.Kind, _ room: Int, _ next: (Int, (FilePlace) -> Bool) -> [FileWork], _ begun: inout [FileTurn],
    at now: Timestamp
  ) {
    var room = room
    while room > 0 {
      let found = next(room) { isFree(Key(place: $0, kind: kind), at: now) }
      guard !found.isEmpty else { return }
      for file in found {
        let key = Key(place: file.place, kind: kind)
        if works[key] == nil {
          works[key] = Work(part: min(Self.firstPart, limits.partBytes.upperBound))
          if let failure = file.failure, !isOnce { works[key]?.backoff = Backoff(failure, .refused) }
        }
        // One that has failed in an earlier run may have to wait; it is no longer free then.
        guard isFree(key, at: now), let turn = turn(of: file, at: now) else { continue }
        works[key]?.turn = turn
        begun.append(turn)
        room -= 1
      }
      if found.allSatisfy({ isFree(Key(place: $0.place, kind: kind), at: now) }) { return }
    }
  }

  private func isFree(_ key: Key, at now: Timestamp) -> Bool {
    guard let work = works[key] else { return true }
    return work.turn == nil && !work.isFinal && work.backoff.isDue(at: now)
  }

  private mutating func turn(of file: FileWork, at now: Timestamp) -> FileTurn? {
    guard let work = works[Key(place: file.place, kind: file.kind)] else { return nil }
    turns += 1
    let count = min(work.part, limits.bytesPerSecond.map { max($0, smallestPart) } ?? .max)
    let kind: FileTurn.Kind =
      switch (file.kind, work.offset, file.size) {
      case (.fetch, _, _): .fetch(count: count)
      case (.upload, let offset?, let size?) where offset <= size:
        .part(offset: offset, count: min(count, size - offset), size: size)
      case (.upload, _, _): .ask
      }
    return FileTurn(place: file.place, kind: kind, number: turns, beganAt: now)
  }

  private var busy: Int { works.values.count { $0.turn != nil } }
  private func busy(_ kind: FileWork.Kind) -> Int { works.count { $0.key.kind == kind && $0.value.turn != nil } }
  var isBusy: Bool { busy > 0 }

  private func isPaced(at now: Timestamp) -> Bool { paceWait(at: now) == 0 }

  /// A clock that was set back by hours delays nothing by hours.
  private func paceWait(at now: Timestamp) -> Int64 {
    let left = paceUntil - now.millisecondsSince1970
    return left > Backoff.longestMilliseconds ? 0 : max(left, 0)
  }

  /// Milliseconds until something is due that waits now; nil where nothing does.
  func wait(at now: Timestamp) -> Int64? {
    let waits = [connection.wait(at: now), paceWait(at: now)].filter { $0 > 0 }
    if let longest = waits.max() { return longest }
    return works.values.filter { !$0.isFinal }.map { $0.backoff.wait(at: now) }.filter { $0 > 0 }.min()
  }
}

// How a turn ends.
extension FileMachine {
  /// The one end of a turn. Returns what is to be noted of its failure.
  @discardableResult
  mutating func end(
    _ turn: FileTurn, _ result: FileTurn.Result, at now: Timestamp, chance: UInt64
  ) -> (error: FileError, failure: QueueFailure?)? {
    guard var work = works[turn.key], work.turn == turn else { return nil }
    work.turn = nil
    defer { if case .done = result { works[turn.key] = nil } else { works[turn.key] = work } }
    let took = now.millisecondsSince1970 - turn.beganAt.millisecondsSince1970
    switch result {
    case .moved(let offset):
      connection.succeed()
      let moved = offset - (work.offset ?? offset)
      if moved > 0 { work.backoff.succeed() }
      work.offset = offset
      work.part = part(after: work.part, took: took)
      pace(max(moved, 0), at: now)
    case .done:
      connection.succeed()
    case .unclear(let error):
      connection.succeed()
      work.offset = nil
      return fail(&work, error, at: now, chance: chance)
    case .failed(let error, let milliseconds):
      connection.succeed()
      work.offset = nil
      work.isFinal = error.isFinal
      return fail(&work, error, at: now, chance: chance, atLeast: milliseconds)
    case .tooLargePart:
      connection.succeed()
      guard work.part > smallestPart else {
        return fail(
          &work, FileError(.tooLarge, "Something before the server refuses small parts too."), at: now, chance: chance)
      }
      work.part = max(work.part / 2, smallestPart)
    case .unreachable(let failure):
      work.offset = nil
      work.part = max(work.part / 2, smallestPart)
      // Requests that were under way together fail together: that is one failure.
      if connection.isDue(at: now) {
        connection.fail(at: now, failure.error, chance: chance, atLeast: failure.retryAfterMilliseconds)
      }
      return (FileError(.unreachable, failure.error.message), nil)
    case .nothing:
      work.offset = nil
    }
    return nil
  }

  private func fail(
    _ work: inout Work, _ error: FileError, at now: Timestamp, chance: UInt64, atLeast milliseconds: Int64 = 0
  ) -> (FileError, QueueFailure?) {
    work.backoff.fail(at: now, SyncError(.refused, error.message), chance: chance, atLeast: milliseconds)
    return (error, work.backoff.failure)
  }

  private func part(after part: Int64, took milliseconds: Int64) -> Int64 {
    if milliseconds < Self.quick { return min(part * 2, limits.partBytes.upperBound) }
    if milliseconds > Self.slow { return max(part / 2, smallestPart) }
    return part
  }

  private mutating func pace(_ count: Int64, at now: Timestamp) {
    guard let limit = limits.bytesPerSecond, count > 0 else { return }
    let start = max(paceUntil, now.millisecondsSince1970)
    paceUntil = start + count * 1_000 / limit
  }

  /// Nothing is under way; what failed in an earlier run is known to the store.
  mutating func beginAgain(once: Bool = false) {
    (works, connection, paceUntil, isOnce) = ([:], Backoff(), 0, once)
  }

  /// Ends every wait at once.
  mutating func hurry() {
    connection.hurry()
    for key in works.keys { works[key]?.backoff.hurry() }
  }

  /// The last failure, for a client that syncs once.
  var problem: SyncError? {
    // A file that somebody waits for, and that nobody has brought yet, is no failure of sync.
    connection.error
      ?? works.filter { $0.key.kind == .upload }.sorted { $0.key < $1.key }.lazy.compactMap(\.value.backoff.error).first
  }
}
