// Decides which part of which file is transferred next. Pure: time, chance and the waiting files come from outside.

import ClientStore
import SyncProtocol
import WireFormat

struct FileMachine: Sendable {
  var limits: FileLimits
  var isExpensive = false
  /// Set for `syncOnce`, which does not wait after failures of earlier runs.
  private var isOnce = false
  /// The unfinished transfers that this run has looked at. A file may go up and come down at the same time.
  private(set) var works: [Key: Work] = [:]
  /// Failures to reach the server, which hold back all files.
  private(set) var connection = Backoff()
  /// When `bytesPerSecond` lets the next part begin, in milliseconds since 1970.
  private var paceUntil: Int64 = 0
  private var turns = 0

  /// The bytes of the first part of an upload and of a fetch, by what is known of the network.
  var firstParts: (upload: Int64, fetch: Int64) = (1 << 20, 1 << 20)
  private var smallestPart: Int64 { limits.partBytes.lowerBound }
  /// In milliseconds. A part faster than `quick` doubles the next one; a part slower than `slow` halves it.
  static let quick: Int64 = 1_500
  static let slow: Int64 = 6_000

  struct Key: Hashable, Sendable, Comparable {
    var place: FileKey
    var kind: FileWork.Kind

    static func < (left: Self, right: Self) -> Bool {
      left.place == right.place ? left.kind == .upload && right.kind == .fetch : left.place < right.place
    }
  }

  struct Work: Hashable, Sendable {
    var turn: FileTurn?
    /// The request that it is for (`FileWork.request`).
    var request = 0
    /// The bytes transferred so far: on the server for an upload, on this device for a fetch. Nil while unknown.
    var offset: Int64?
    var part: Int64
    var backoff = Backoff()
    /// The file is not tried again in this run.
    var isFinal = false
  }

  init(_ limits: FileLimits) { self.limits = limits }
}

/// One request about a file, from its beginning to its end.
struct FileTurn: Hashable, Sendable {
  let place: FileKey
  let kind: Kind
  let number: Int
  let beganAt: Timestamp

  enum Kind: Hashable, Sendable {
    /// Asks how much of an upload the server has, and whether it can copy the file from another queue.
    case ask
    case part(offset: Int64, count: Int64, size: Int64)
    case fetch(count: Int64)
  }

  var key: FileMachine.Key {
    if case .fetch = kind { return FileMachine.Key(place: place, kind: .fetch) }
    return FileMachine.Key(place: place, kind: .upload)
  }

  /// How the turn ended.
  enum Result: Hashable, Sendable {
    /// The transfer has come to this offset and goes on. `bytes` went over the network in this turn.
    case moved(to: Int64, bytes: Int64)
    /// The turn leaves nothing to do. The file is complete, nobody wants it any more, or its fetch was given up.
    case done(bytes: Int64)
    /// The answer or the bytes were not as expected. After a pause the server is asked where the transfer stands.
    case unclear(FileError)
    /// This file waits, or ends for this run if the error is final. Other files go on.
    case failed(FileError, retryAfterMilliseconds: Int64)
    /// Something in front of the server refused the part as too large; a smaller one may pass.
    case tooLargePart
    /// The server was not reached, or serves nobody. All files wait.
    case unreachable(SyncFailure)
    /// The request was cancelled, or the store failed. The answer is not used.
    case nothing
  }
}

/// The files that a store has to move. The closures find as many as there is room for.
struct FileFacts {
  var counts: (uploads: Int, fetches: Int)
  /// The first files that pass a filter, at most as many as the limit. The filter gets the number of the request too
  /// (`FileWork.request`).
  var uploads: (Int, (FileKey, Int) -> Bool) -> [FileWork]
  var fetches: (Int, (FileKey, Int) -> Bool) -> [FileWork]
}

// Beginning transfers.
extension FileMachine {
  /// Returns the requests to begin now, and marks them as under way.
  mutating func begin(_ facts: FileFacts, at now: Timestamp) -> [FileTurn] {
    guard connection.isDue(at: now), isPaced(at: now) else { return [] }
    // After a failure a single request finds out whether the server is back.
    let most = connection.hasFailed ? 1 : limits.maximumTransfers
    var begun: [FileTurn] = []
    let fetchRoom = min(Self.transfers(for: facts.counts.fetches, atMost: most) - busy(.fetch), most - busy)
    if facts.counts.fetches > 0 { begin(.fetch, fetchRoom, facts.fetches, &begun, at: now) }
    guard facts.counts.uploads > 0, !isExpensive || limits.uploadsOnExpensiveNetworks else { return begun }
    let uploadRoom = min(Self.transfers(for: facts.counts.uploads, atMost: most) - busy(.upload), most - busy)
    begin(.upload, uploadRoom, facts.uploads, &begun, at: now)
    return begun
  }

  /// Whether a transfer is under way, or could begin now if `bytesPerSecond` let it.
  func isMoving(_ facts: FileFacts, at now: Timestamp) -> Bool {
    var unlimited = self
    unlimited.paceUntil = 0
    return isBusy || !unlimited.begin(facts, at: now).isEmpty
  }

  /// Half as many as wait, rounded up; at least one, at most `most`.
  static func transfers(for waiting: Int, atMost most: Int) -> Int { min(max((waiting + 1) / 2, 1), most) }

  private mutating func begin(
    _ kind: FileWork.Kind, _ room: Int, _ next: (Int, (FileKey, Int) -> Bool) -> [FileWork],
    _ begun: inout [FileTurn], at now: Timestamp
  ) {
    var room = room
    while room > 0 {
      let found = next(room) { isFree(Key(place: $0, kind: kind), $1, at: now) }
      guard !found.isEmpty else { return }
      for file in found {
        let key = Key(place: file.place, kind: kind)
        if works[key]?.request != file.request {
          works[key] = Work(request: file.request, part: firstPart(of: kind))
          if let failure = file.failure, !isOnce { works[key]?.backoff = Backoff(failure, .refused) }
        }
        // A file that failed in an earlier run may now have to wait, and is no longer free.
        guard isFree(key, file.request, at: now), let turn = turn(of: file, at: now) else { continue }
        works[key]?.turn = turn
        begun.append(turn)
        room -= 1
      }
      if found.allSatisfy({ isFree(Key(place: $0.place, kind: kind), $0.request, at: now) }) { return }
    }
  }

  private func isFree(_ key: Key, _ request: Int, at now: Timestamp) -> Bool {
    guard let work = works[key] else { return true }
    // The failures of an earlier request do not hold back a new one: the user opens the file again.
    return work.turn == nil && (work.request != request || !work.isFinal && work.backoff.isDue(at: now))
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

  private func firstPart(of kind: FileWork.Kind) -> Int64 {
    let bytes = kind == .upload ? firstParts.upload : firstParts.fetch
    return min(max(bytes, smallestPart), limits.partBytes.upperBound)
  }

  private var busy: Int { works.values.count { $0.turn != nil } }
  private func busy(_ kind: FileWork.Kind) -> Int { works.count { $0.key.kind == kind && $0.value.turn != nil } }
  var isBusy: Bool { busy > 0 }

  private func isPaced(at now: Timestamp) -> Bool { paceWait(at: now) == 0 }

  /// Milliseconds until `bytesPerSecond` lets a part begin. A wait over 5 minutes counts as 0, in case the clock was
  /// set back.
  private func paceWait(at now: Timestamp) -> Int64 {
    let left = paceUntil - now.millisecondsSince1970
    return left > Backoff.longestMilliseconds ? 0 : max(left, 0)
  }

  /// Milliseconds until a transfer that waits now may begin; nil if none waits.
  func wait(at now: Timestamp) -> Int64? {
    let waits = [connection.wait(at: now), paceWait(at: now)].filter { $0 > 0 }
    if let longest = waits.max() { return longest }
    return works.values.filter { !$0.isFinal }.map { $0.backoff.wait(at: now) }.filter { $0 > 0 }.min()
  }
}

// How a turn ends.
extension FileMachine {
  /// Ends a turn, once; later calls do nothing. Returns the failure for the store to note, if there is one.
  @discardableResult
  mutating func end(
    _ turn: FileTurn, _ result: FileTurn.Result, at now: Timestamp, chance: UInt64
  ) -> (error: FileError, failure: QueueFailure?)? {
    guard var work = works[turn.key], work.turn == turn else { return nil }
    work.turn = nil
    defer { if case .done = result { works[turn.key] = nil } else { works[turn.key] = work } }
    let took = now.millisecondsSince1970 - turn.beganAt.millisecondsSince1970
    switch result {
    case .moved(let offset, let bytes):
      connection.succeed()
      if offset > work.offset ?? offset { work.backoff.succeed() }
      work.offset = offset
      work.part = part(after: work.part, took: took)
      pace(bytes, at: now)
    case .done(let bytes):
      connection.succeed()
      pace(bytes, at: now)
    case .unclear(let error):
      connection.succeed()
      work.offset = nil
      return fail(&work, error, at: now, chance: chance)
    case .failed(let error, let milliseconds):
      connection.succeed()
      work.offset = nil
      return fail(&work, error, at: now, chance: chance, atLeast: milliseconds)
    case .tooLargePart:
      connection.succeed()
      guard work.part > smallestPart else {
        // Tried again: what refuses the parts may let them pass later, or on another network.
        return fail(
          &work, FileError(.unreachable, "Something before the server refuses even small parts."), at: now,
          chance: chance)
      }
      work.part = max(work.part / 2, smallestPart)
    case .unreachable(let failure):
      work.offset = nil
      work.part = max(work.part / 2, smallestPart)
      // Requests that were under way together fail together, and count as one failure.
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
    work.isFinal = error.isFinal
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

  /// Forgets all transfers at the beginning of a run. The store knows the failures of earlier runs.
  mutating func beginAgain(once: Bool = false) {
    (works, connection, paceUntil, isOnce) = ([:], Backoff(), 0, once)
  }

  /// Makes all failed transfers due now.
  mutating func hurry() {
    connection.hurry()
    for key in works.keys { works[key]?.backoff.hurry() }
  }

  /// The failure that `syncOnce` throws: of the connection, else of the first failed upload.
  var problem: SyncError? {
    // A failed fetch is no failure of sync, because the file may not have been uploaded yet.
    connection.error
      ?? works.filter { $0.key.kind == .upload }.sorted { $0.key < $1.key }.lazy.compactMap(\.value.backoff.error).first
  }
}
