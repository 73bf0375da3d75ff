// Holds what the server reads and answers against the model.

import SyncServer
import WireFormat

extension Referee {
  /// The server has read something for a request. The model reads it at the same moment.
  func noteRead(for served: ServedRequest) {
    switch served.call {
    case .request(.delta(let delta)): lookAt(delta, served)
    case .request(.changed(let request)):
      served.news = model.news(request, for: served.asker)
      served.openQueues = Set(request.watched.filter { model.isOpen($0, to: served.asker) })
    case .request(.signal(let session, let changes)):
      served.taken = model.taken(changes, by: served.asker)
      for change in changes where model.isOpen(change.queue, to: served.asker) {
        signals.note(change, by: served.user, in: session, at: world.time.now)
      }
    case .file(let file): lookAt(file, served)
    default: break
    }
  }

  private func lookAt(_ delta: PlainDelta, _ served: ServedRequest) {
    guard let queue = served.queueRead, let place = delta.places.firstIndex(where: { $0.queue == queue }) else {
      return
    }
    // Queues are answered in order. Of several reads of a queue the last one counts.
    while served.pages.count <= place {
      served.pages.append(.init(room: served.pages.last?.room ?? room(for: delta)))
    }
    var room = place > 0 ? served.pages[place - 1].room : room(for: delta)
    served.pages[place].result = model.page(delta.places[place], for: served.asker, &room)
    served.pages[place].room = room
    if room.isOutOfBytes { world.count("pages that bytes end") }
    if room.hasTooLarge { world.count("objects larger than a page") }
  }

  private func room(for delta: PlainDelta) -> PlainRoom {
    PlainRoom(limit: delta.limit, named: delta.bytes, bytes: world.plan.pageBytes)
  }

  func check(_ body: [UInt8], to served: ServedRequest) {
    served.isOver = true
    endFiles(of: served)
    guard case .request(let request) = served.call else { return }
    guard let json = PlainJSON(reading: body) else { return report("it answers what nobody can read") }
    if let refusal = served.refusal {
      if refusal.code == "OUTDATED" { world.count("commits of apps that are too old") }
      let told = json["errors"].elements.first?["extensions"] ?? .null
      let expected: PlainJSON = ["code": .words(refusal.code), "since": .digits(refusal.since)]
      if let difference = told.difference(from: expected) { report("an error\(difference)") }
      return
    }
    if !json["errors"].isNull {
      // Of the polls of one user only so many may wait.
      let isOnePollTooMany = request.isPoll && polls.count { $0.user == served.user } >= 50
      if !served.hasFailed && !isOnePollTooMany { report("it fails without need: \(json["errors"].description)") }
      return
    }
    let data = json["data"]
    switch request {
    case .commits(let commits):
      let answers = data["commits"].isNull ? [data["commit"]] : data["commits"].elements
      if answers.count != commits.count { report("\(answers.count) commits are answered, not \(commits.count)") }
      for (commit, answer) in zip(commits, answers) {
        let decision = served.decisions[commit.place.queue] ?? .null
        if let difference = answer.difference(from: decision) { report("commit\(difference)") }
        // Several commits read the clock in any order.
        checkTime(answer["time"], served.times.prefix(commits.count > 1 ? .max : 1), served)
      }
    case .delta(let delta): check(data["delta"], delta, served)
    case .changed(let poll):
      world.count(poll.sums == nil ? "polls for the time" : "polls over all queues")
      check(poll: data["changed"], served)
      check(signals: data["changed"]["signals"], of: poll, served)
    case .signal(_, let changes):
      let taken = data["signal"]["taken"].integer ?? -1
      if taken != served.taken { report("it takes \(taken) of \(changes.count) signals, not \(served.taken)") }
      checkTime(data["signal"]["time"], served.times[...], served)
    }
  }

  private func check(poll found: PlainJSON, _ served: ServedRequest) {
    // A poll that never read tells nothing.
    if let difference = found.difference(from: (served.news ?? .nothing).answer) { report("a poll\(difference)") }
    checkTime(found["time"], served.times[...], served)
  }

  /// Each signal that is told was shown by a member not long ago, to a queue that is open to the asker.
  private func check(signals found: PlainJSON, of poll: PlainChangedRequest, _ served: ServedRequest) {
    for told in found.elements {
      guard let queue = told["queue"].id, poll.watched.contains(queue) else {
        report("a poll tells signals of \(told["queue"].description), which it does not watch")
        continue
      }
      let signals = told["signals"].elements
      if signals.isEmpty != told["state"].isNull { report("a state stands for \(signals.count) signals") }
      if !signals.isEmpty, !served.openQueues.contains(queue) { report("a stranger is told signals of \(queue)") }
      for signal in signals {
        world.count("signals told")
        if let objection = self.signals.objection(signal, in: queue, to: served.asker, at: world.time.now) {
          report("a signal is told, but \(objection)")
        }
      }
    }
  }

  private func check(_ found: PlainJSON, _ delta: PlainDelta, _ served: ServedRequest) {
    var expected: [PlainJSON] = []
    for (place, asked) in delta.places.enumerated() {
      let result = place < served.pages.count ? served.pages[place].result : nil
      if case .answered(let json)? = result {
        expected.append(json)
      } else if !served.asker.mayAsk(for: asked.queue) {
        // The server refuses such a queue without asking the storage.
        expected.append([
          "queue": .id(asked.queue), "page": .null, "refusal": PlainRefusal.noQueue.json([:], retention: nil),
        ])
      } else {
        break
      }
    }
    if let difference = found.difference(from: .array(expected)) { report("delta\(difference)") }
    for answer in found.elements { checkTime(answer["time"], served.times[...], served) }
  }

  private func checkTime(_ time: PlainJSON, _ times: ArraySlice<Int64>, _ served: ServedRequest) {
    if !times.contains(where: { $0 == time.integer }) { report("it answers at \(time.description), not at \(times)") }
  }
}

extension PlainRequest {
  fileprivate var isPoll: Bool { if case .changed = self { true } else { false } }
}

// Polls.
extension Referee {
  /// How long a poll may wait once there is something to fetch. The server delays no such answer.
  private static let patienceMilliseconds: Int64 = 300

  /// Notes a poll that may wait. Returns what to call when it is answered.
  func begin(_ served: ServedRequest) -> () -> Void {
    guard case .request(let request) = served.call, request.waitSeconds > 0 else { return {} }
    polls.append(served)
    return { [self] in polls.removeAll { $0 === served } }
  }

  /// Called after a commit to a queue. Reports a poll that goes on waiting although it has something to tell.
  func noteNews(in queue: PlainID) {
    for poll in polls where !poll.isDue && poll.news?.isNothing == true && hasNews(poll) {
      poll.isDue = true
      world.time.after(Self.patienceMilliseconds) { [self] in
        guard polls.contains(where: { $0 === poll }), !poll.isOver, !poll.isGone() else { return }
        report("a poll sleeps though there is something to fetch in \(queue)")
      }
    }
  }

  private func hasNews(_ poll: ServedRequest) -> Bool {
    guard case .request(.changed(let request)) = poll.call else { return false }
    return !model.news(request, for: poll.asker).isNothing
  }
}
