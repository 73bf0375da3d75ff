// Holds everything that the server says and writes against an independent model of it (ServerModel).
//
// Transactions are serial, so the model takes each at the moment at which the server commits it, and reads at the
// moment at which the server reads. It takes over what the server draws at random (histories, grants), if that is new.

import SyncProtocol
import SyncServer
import WireFormat

/// Survives the server's crashes, as its history does. `@unchecked Sendable`: one thread.
final class Referee: @unchecked Sendable {
  unowned let world: World
  private(set) var model = PlainServer()
  /// The committed state while `model` is ahead of it; nil otherwise.
  private var committed: PlainServer?
  /// The effects of the last body of a transaction that is not committed yet.
  private var taken: PlainEffects?
  /// The newest time that the clock has shown in this life of the server. It never goes back.
  private(set) var newestTime: Int64 = 0
  /// The same for all of its lives.
  private(set) var newestEver: Int64 = 0
  /// The first and the newest time of each life. A later one may begin with an earlier time: a clock was set back, and
  /// the database is an old copy.
  private var lives: [(first: Int64, newest: Int64)] = []
  /// Every history and grant that was ever given: each may be given once.
  private var given: Set<PlainID> = []
  /// Polls that wait.
  var polls: [ServedRequest] = []
  /// The signals that were shown in this life of the server.
  var signals = PlainSignals()
  /// Requests about files that are served.
  var files: [ServedRequest] = []

  init(world: World) {
    self.world = world
    // The table of access in the model's own words. The second app has none.
    model.access = [
      "Albums": PlainAccess(types: [
        "album": PlainRights(
          delete: [.owner],
          members: world.plan.foundersStay
            ? PlainMemberRights(invite: [.owner]) : PlainMemberRights(remove: [.writer], creator: [.writer])),
        "photo": PlainRights(fields: [6: [.owner]]),
        "message": PlainRights(
          create: [.named(4, forReaders: false)], update: [.named(4, forReaders: false)],
          delete: [.named(4, forReaders: false)], fixed: [1, 4], identity: []),
        "badge": PlainRights(
          create: [.named(2, forReaders: true), .owner], update: [.named(2, forReaders: false)], delete: [], fixed: [2],
          identity: [[2]]),
        "pair": PlainRights(delete: [], fixed: [2], identity: [[2]], users: [2]),
      ])
    ]
  }

  func report(_ message: String) { world.oracles.report("the server is not the model: \(message)") }

  /// Notes a time that the server reads from its clock.
  func noteClock(_ milliseconds: Int64) {
    newestTime = max(newestTime, milliseconds)
    newestEver = max(newestEver, newestTime)
    if !lives.isEmpty { lives[lives.count - 1].newest = newestTime }
    ServedRequest.current?.times.append(newestTime)
  }

  /// The life of the server that goes on.
  var life: Int { lives.count - 1 }

  /// By how much the server's time has risen at most, since a time in one of its lives.
  func rise(since time: Int64, in life: Int) -> Int64 {
    var (least, rise) = (time, Int64.min)
    for (first, newest) in lives[life...] {
      // In the first of them the time went on from `time`.
      if rise != .min { least = min(least, first) }
      rise = max(rise, newest - least)
    }
    return rise
  }

  /// The server's time for what it does now.
  var time: Int64 { ServedRequest.current?.times.last ?? newestTime }

  /// Called when a life of the server begins. Reports if the database on its disk is not the model.
  func noteStart(_ storage: RecordingStorage, _ histories: HistoryTable) throws {
    newestTime = model.notedTime
    lives.append((newestTime, newestTime))
    if model.history == nil { begin(PlainID(histories.current), since: 0) }
    let current = PlainID(histories.current)
    if current != model.history { report("its history is \(current), not \(words(model.history))") }
    for id in model.histories.map(\.id).dropLast() + [.zero] {
      let since = histories.since(after: HistoryID(id)).millisecondsSince1970
      if since != model.since(after: id) { report("since \(id) \(since) is lost, not \(model.since(after: id))") }
    }
    (polls, files, signals) = ([], [], PlainSignals())
    if let difference = try storage.stored({ try self.differenceOfAll(in: $0) }) { report("on the disk \(difference)") }
  }

  /// Notes the option with which the server starts.
  func noteOldestWriter(_ version: String?) {
    model.oldestWriters["Albums"] = version.map { $0.split(separator: ".").compactMap { Int($0) } }
  }

  /// Goes back to the model of a backup, whose files are in place.
  func restore(_ backup: PlainServer) { model = backup }

  /// Removes the rows of files whose bytes are not in the folder. Reports if the server removed another number than
  /// `count`.
  func forgetMissing(_ count: Int) {
    var gone = 0
    for (id, queue) in model.queues {
      for hash in queue.files.rows.keys where !isThere(hash, in: id) {
        model.queues[id]?.files.take(.went(hash))
        gone += 1
      }
    }
    if gone != count { report("it misses \(count) files, not \(gone)") }
  }

  /// Takes over the work of the restore command: the database has another history.
  func begin(_ history: PlainID, since: Int64) {
    note(history, unless: nil)
    model.histories.append(PlainHistory(id: history, since: since))
  }

  func apply(_ effects: PlainEffects, by served: ServedRequest? = nil) {
    noteMembers(effects, by: served)
    noteFiles(effects)
    let before = model.queues[effects.queue]?.row
    defer { if effects.row != before || !effects.members.isEmpty { noteNews(in: effects.queue) } }
    for (user, member) in effects.members {
      guard let grant = member?.grant else { continue }
      note(grant, unless: model.queues[effects.queue]?.members[user]?.grant)
    }
    model.apply(effects)
  }

  /// Notes what a body did in a transaction that others may share, so that the bodies behind it see that.
  func take(_ effects: PlainEffects) { taken = effects }

  /// Applies what the last body did, before the next body of the same transaction. A transaction with one body costs no
  /// copy.
  func showTaken() {
    guard let taken else { return }
    self.taken = nil
    if committed == nil { committed = model }
    model.apply(taken)
  }

  /// Undoes what was applied during a transaction. If it is committed, its effects are applied again.
  func endTogether() {
    taken = nil
    if let committed { model = committed }
    committed = nil
  }

  /// Whether the database has what was being committed when the server crashed.
  func isStored(_ records: [TransactionRecord], in snapshot: any QueueSnapshot) throws -> Bool {
    let before = model
    defer { model = before }
    for record in records { if let effects = record.effects { model.apply(effects) } }
    return try differenceOfAll(in: snapshot) == nil
  }

  /// Reports a history or a grant that replaces `before` and was given earlier.
  private func note(_ id: PlainID, unless before: PlainID?) {
    guard id != before else { return }
    if !given.insert(id).inserted || id == .zero { report("\(id) is given a second time") }
  }
}
