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
  /// The newest time that the clock of this life of the server has said: it never goes back.
  private var newestTime: Int64 = 0
  /// Every epoch and grant that ever was: each is given once.
  private var given: Set<PlainID> = []
  /// Polls that wait, by number.
  var polls: [Int: ServedRequest] = [:]
  var pollCount = 0

  init(world: World) { self.world = world }

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
    polls = [:]
    if let difference = try storage.stored({ try self.differenceOfAll(in: $0) }) { report("on the disk \(difference)") }
  }

  /// The files of a backup are in place.
  func restore(_ backup: PlainServer) { model = backup }

  /// The restore command has given the database another history, which shows at the next start, and every queue another
  /// epoch.
  func noteEpochs(_ epochs: [(queue: PlainID, epoch: PlainID)]) {
    model.history = .zero
    for (queue, epoch) in epochs {
      note(epoch, unless: nil)
      model.giveUpHistory(of: queue, for: epoch)
    }
  }

  func apply(_ effects: PlainEffects) {
    let before = model.queues[effects.queue]?.row
    defer { if effects.row != before || !effects.members.isEmpty { noteNews(in: effects.queue) } }
    if let row = effects.row { note(row.epoch, unless: model.queues[effects.queue]?.row.epoch) }
    for (user, member) in effects.members {
      guard let grant = member?.grant else { continue }
      note(grant, unless: model.queues[effects.queue]?.members[user]?.grant)
    }
    model.apply(effects)
  }

  /// An epoch or a grant that is another one than before must never have been.
  private func note(_ id: PlainID, unless before: PlainID?) {
    guard id != before else { return }
    if !given.insert(id).inserted || id == .zero { report("\(id) is given a second time") }
  }
}
