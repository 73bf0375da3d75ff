// Signals, as the model judges them: what may be told, and when at the latest it is over.

/// A signal that a request shows or takes back.
struct PlainSignalChange {
  var queue: PlainID
  var type: String
  /// Nil takes it back.
  var content: [UInt8]?
  var seconds: Int64

  init?(_ json: PlainJSON) {
    guard let queue = json["queue"].id, let type = json["type"].text, let seconds = json["seconds"].integer else {
      return nil
    }
    (self.queue, self.type) = (queue, String(decoding: type, as: UTF8.self))
    (content, self.seconds) = (json["content"].base64, seconds)
  }
}

/// What was shown in this life of the server, by whom and when. Times are those of the world, in milliseconds.
struct PlainSignals {
  private struct Showing {
    var user: PlainID
    var session: PlainID
    var change: PlainSignalChange
    var time: Int64
  }

  private var showings: [Showing] = []

  /// A queue publishes once a second, and time is counted in steps of 250 ms. The rest is for requests that are served
  /// slowly.
  private static let slack: Int64 = 2_000

  mutating func note(_ change: PlainSignalChange, by user: PlainID, in session: PlainID, at time: Int64) {
    showings.append(Showing(user: user, session: session, change: change, time: time))
  }

  /// Why nobody may be told a signal now; nil if it may be told.
  func objection(_ signal: PlainJSON, in queue: PlainID, to asker: PlainAsker, at now: Int64) -> String? {
    guard let user = signal["user"].id, let type = signal["type"].text, let content = signal["content"].base64 else {
      return "it cannot be read"
    }
    if user == asker.user { return "it is the asker's own" }
    let name = String(decoding: type, as: UTF8.self)
    let known = showings.filter { $0.user == user && $0.change.queue == queue && $0.change.type == name }
    var objection: String? = "nobody has shown it"
    for session in Set(known.map(\.session)) {
      let shown = known.filter { $0.session == session }
      guard let last = shown.lastIndex(where: { $0.change.content == content }) else { continue }
      if now > shown[last].time + shown[last].change.seconds * 1_000 + Self.slack {
        objection = "its time is over"
      } else if last + 1 < shown.count, now > shown[last + 1].time + Self.slack {
        objection = "another has taken its place"
      } else {
        return nil
      }
    }
    return objection
  }
}

extension PlainServer {
  /// How many signals are taken: those of members.
  func taken(_ changes: [PlainSignalChange], by asker: PlainAsker) -> Int {
    changes.count { isOpen($0.queue, to: asker) }
  }

  /// Whether the asker is a member of a queue of the app.
  func isOpen(_ queue: PlainID, to asker: PlainAsker) -> Bool {
    queues[queue].map { $0.row.schema == asker.schema && $0.members[asker.user] != nil } ?? false
  }
}
