// A member's program that is not ours puts objects into one queue that name another, or writes in others' names.

import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Forges something, or asks for a queue as if it were another app's.
  func forge() throws {
    if plan.hasTwoApps, random.chance(40) { return try askByAnotherApp() }
    if random.chance(40) { return try forgePhoto() }
    for _ in 0..<20 { try forgeName() }
    for _ in 0..<3 { try forgeMember() }
    for _ in 0..<3 { try forgeMeeting() }
    for _ in 0..<3 { try forgeLink() }
  }

  /// Changes members in a way that no rule of this world allows.
  private func forgeMember() throws {
    let attempts = albums.flatMap { album in
      users.flatMap { forger in forbiddenChanges(by: forger, in: album.queue).map { (album.queue, forger, $0) } }
    }
    guard !attempts.isEmpty else { return }
    let (queue, forger, change) = random.pick(attempts)
    fault(.forgery)
    trace("\(forger.short) tries \(change) in \(queue.short)")
    try holdingFaults { try commit(OperationChanges(members: [change]), to: queue, by: forger) }
    count("members forged")
  }

  private func forbiddenChanges(by forger: UserID, in queue: QueueID) -> [MemberChange] {
    guard let state = server.history.state.queues[queue], let role = state.members[forger]?.role else { return [] }
    let owners = state.members.filter { $0.value.role == .owner }.keys.sorted()
    if role != .owner {
      return users.map { .follow($0, as: .owner) } + owners.flatMap { [.unfollow($0), .role($0, .reader)] }
    }
    guard plan.foundersStay, let founder = owners.first(where: { state.members[$0]?.by == $0 }), founder != forger
    else {
      return []
    }
    return [.unfollow(founder), .role(founder, .writer)]
  }

  /// Guesses the secret of a link, opens a link that gives more than its maker has, or closes as a link what is none.
  private func forgeLink() throws {
    let queue = random.pick(albums).queue
    guard let state = server.history.state.queues[queue], !state.members.isEmpty else { return }
    let strangers = (users + [owner]).filter { state.members[$0] == nil }
    let lower = state.members.filter { $0.value.role != .owner }.keys.sorted()
    var forger = random.pick(state.members.keys.sorted())
    var changes = OperationChanges()
    switch random.below(3) {
    case 0 where !strangers.isEmpty:
      forger = random.pick(strangers)
      changes.join = LinkSecret(randomID())
    case 1 where !lower.isEmpty:
      forger = random.pick(lower)
      let tomorrow = Timestamp(millisecondsSince1970: server.referee.newestTime + UpkeepRules.day)
      changes.links = [LinkChange(LinkSecret(randomID()).hash, .open(.owner, uses: 1, until: tomorrow))]
    default:
      changes.links = [LinkChange(LinkSecret(randomID()).hash, .close)]
    }
    fault(.forgery)
    trace("\(forger.short) forges a link to \(queue.short)")
    try holdingFaults { try commit(changes, to: queue, by: forger) }
    count("links forged")
  }

  /// Writes something in the name of any user, changes or deletes what is somebody's, or takes a name that is free.
  private func forgeName() throws {
    let app = anyApp()
    // Messages are in the inbox only; among the photos there are readers.
    let queue = random.pick([app.inbox, app.photos])
    let isInbox = queue == app.inbox
    let readers = server.history.state.queues[queue]?.members.filter { $0.value.role == .reader }.keys.sorted() ?? []
    let (named, other) = (random.pick(readers.isEmpty || random.chance(50) ? users : readers), random.pick(users))
    var forger = random.chance(50) ? named : random.pick(users)
    let objects = server.history.state.queues[queue]?.objects.filter { $0.value.live != nil } ?? [:]
    let known = objects.keys.filter { id in
      objects[id]?.live.map { [Message.modelName, Badge.type].contains($0.type) } ?? false
    }.sorted()
    var name = RecordWriter()
    let change: ObjectChange
    switch isInbox ? random.below(known.isEmpty ? 2 : 5) : 1 + random.below(known.isEmpty ? 1 : 4) {
    case 0:
      name.uuid(Message.inboxTag, queue.rawValue)
      name.uuid(Message.senderTag, named.rawValue)
      // Sometimes there is a message of somebody.
      let theirs = known.filter { objects[$0]?.live?.type == Message.modelName }
      let id = theirs.isEmpty || random.chance(60) ? randomID(in: queue) : random.pick(theirs)
      change = ObjectChange(id, .create(type: Message.modelName, try PatchBuilder().patch(filling: name.bytes)))
      if !messages.contains(id) { messages.append(id) }
    case 1:
      // Sometimes the id is that of another user's, the user is named twice, or is no user.
      name.uuid(Badge.userTag, named.rawValue)
      if random.chance(25) { name.uuid(Badge.userTag, other.rawValue) }
      var badge = PatchBuilder()
      if random.chance(60) { badge.set(Badge.nameTag, "by \(forger.short)") }
      let id = Badge.id(of: random.chance(50) ? named : other, in: queue)
      // Or something else takes its place.
      let type = random.chance(80) ? Badge.type : random.pick(["unknown", Message.modelName])
      change = ObjectChange(id, .create(type: type, try badge.patch(filling: random.chance(95) ? name.bytes : [])))
    case 2, 3:
      var patch = PatchBuilder()
      if random.chance(70) {
        patch.set(Badge.nameTag, "by \(forger.short)")
      } else {
        patch.set(random.pick([Badge.userTag, Message.senderTag]), named)
      }
      let id = random.pick(known)
      if random.chance(50) { forger = objects[id]?.live?.system.createdBy ?? forger }
      change = ObjectChange(id, .patch(try patch.patch()))
    default: change = ObjectChange(random.pick(known), .delete)
    }
    fault(.forgery)
    trace("\(forger.short) forges \(change.object.short) in \(queue.short) in the name of \(named.short)")
    try holdingFaults { try commit(OperationChanges(objects: [change]), to: queue, by: forger) }
    count("names forged")
  }

  /// Makes a photo that claims to be of another album, or lets one that is there begin or cease to claim that.
  private func forgePhoto() throws {
    let app = anyApp()
    let queue = random.pick([app.photos, app.photos, app.inbox])
    let live = server.history.state.queues[queue]?.objects.filter { $0.value.live?.type == Photo.modelName } ?? [:]
    let known = live.keys.sorted()
    let others = albums.map(\.queue).filter { $0 != queue } + [randomQueue()]
    let change: ObjectChange
    if known.isEmpty || random.chance(60) {
      let id = randomID(in: queue)
      let content = try PatchBuilder().patch(filling: RecordWriter.photo(in: random.pick(others)))
      change = ObjectChange(id, .create(type: Photo.modelName, content))
      if queue == app.photos { albums[app.number].photos.append(id) }
    } else {
      var patch = PatchBuilder()
      patch.set(Photo.albumTag, random.chance(30) ? queue : random.pick(others))
      change = ObjectChange(random.pick(known), .patch(try patch.patch()))
    }
    fault(.forgery)
    trace("\(change.object.short) in \(queue.short) is forged")
    try holdingFaults { try commit(OperationChanges(objects: [change]), to: queue, by: owner) }
  }
}
