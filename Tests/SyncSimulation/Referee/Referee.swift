// Holds everything that the server says and writes against an independent model of it (ServerModel).
//
// Transactions are serial, so the model takes each at the moment at which the server commits it, and looks at what a read
// finds at the moment of the read. What the server draws at random (epochs, grants) the model takes over, if it is new.

import SyncProtocol
import SyncServer
import WireFormat

/// Survives the server's crashes, as its history does. `@unchecked Sendable`: one thread.
final class Referee: @unchecked Sendable {
  unowned let world: World
  private(set) var model = PlainServer()
  /// What is committed, where the model is ahead of that.
  private var committed: PlainServer?
  /// What the last body of a transaction that is not committed yet has done.
  private var taken: PlainEffects?
  /// The newest time that the clock of this life of the server has said: it never goes back.
  private(set) var newestTime: Int64 = 0
  /// Every epoch and grant that ever was: each is given once.
  private var given: Set<PlainID> = []
  /// Polls that wait, by number.
  var polls: [Int: ServedRequest] = [:]
  var pollCount = 0
  /// Requests for files that are served, by number.
  var files: [Int: ServedRequest] = [:]
  var fileCount = 0

  init(world: World) {
    self.world = world
    // In its own words.
    model.access.types = ["photo": PlainRights(fields: [6: [.owner]]), "message": PlainRights(delete: [.creator])]
  }

  func report(_ message: String) { world.oracles.report("the server is not the model: \(message)") }

  /// The server looks at its clock.
  func noteClock(_ milliseconds: Int64) {
    newestTime = max(newestTime, milliseconds)
    ServedRequest.current?.times.append(newestTime)
  }

  /// The time of what is done just now.
  var time: Int64 { ServedRequest.current?.times.last ?? newestTime }

  /// A life of the server begins: what it finds on its disk is what the model has.
  func noteStart(_ storage: RecordingStorage, history: PlainID) throws {
    newestTime = model.notedTime
    if model.history == .zero {
      model.history = history
      note(history, unless: nil)
    }
    if history != model.history { report("its history is \(history), not \(model.history)") }
    (polls, files) = ([:], [:])
    if let difference = try storage.stored({ try self.differenceOfAll(in: $0) }) { report("on the disk \(difference)") }
  }

  /// The files of a backup are in place.
  func restore(_ backup: PlainServer) { model = backup }

  /// Rows whose bytes are not in the folder go: so many of them.
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

  /// The restore command has given the database another history, which shows at the next start, and every queue another
  /// epoch.
  func noteEpochs(_ epochs: [(queue: PlainID, epoch: PlainID)]) {
    model.history = .zero
    for (queue, epoch) in epochs {
      note(epoch, unless: nil)
      model.giveUpHistory(of: queue, for: epoch)
    }
  }

  func apply(_ effects: PlainEffects, by served: ServedRequest? = nil) {
    noteMembers(effects, by: served)
    noteFiles(effects)
    let before = model.queues[effects.queue]?.row
    defer { if effects.row != before || !effects.members.isEmpty { noteNews(in: effects.queue) } }
    if let row = effects.row { note(row.epoch, unless: model.queues[effects.queue]?.row.epoch) }
    for (user, member) in effects.members {
      guard let grant = member?.grant else { continue }
      note(grant, unless: model.queues[effects.queue]?.members[user]?.grant)
    }
    model.apply(effects)
  }

  /// A body of a transaction that others may share has ended: those behind it see what it did.
  func take(_ effects: PlainEffects) { taken = effects }

  /// Before the next body of the same transaction. One that nobody shares costs no copy.
  func showTaken() {
    guard let taken else { return }
    self.taken = nil
    if committed == nil { committed = model }
    model.apply(taken)
  }

  /// What it came to is applied again where it is committed, and forgotten where it is not.
  func endTogether() {
    taken = nil
    if let committed { model = committed }
    committed = nil
  }

  /// After a crash: whether what was being committed is there.
  func isStored(_ records: [TransactionRecord], in snapshot: any QueueSnapshot) throws -> Bool {
    let before = model
    defer { model = before }
    for record in records { if let effects = record.effects { model.apply(effects) } }
    return try differenceOfAll(in: snapshot) == nil
  }

  /// An epoch or a grant that is another one than before must never have been.
  private func note(_ id: PlainID, unless before: PlainID?) {
    guard id != before else { return }
    if !given.insert(id).inserted || id == .zero { report("\(id) is given a second time") }
  }
}
