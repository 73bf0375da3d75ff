// A member's program changes photos and says which files their fields name.

import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// A photo is made, filled or edited, or left as it is, and some of its fields name other files than before.
  func nameFiles() throws {
    let queue = random.pick([photos, photos, inbox])
    let states = server.history.state.queues[queue]?.objects ?? [:]
    let live = states.filter { $0.value.live?.type == Photo.modelName }.keys.sorted()
    let action = try fileAction(in: queue)
    let isPatch = if case .patch = action { true } else { false }
    let object = isPatch && !live.isEmpty ? random.pick(live) : random.pick(live + [randomID(in: queue)])
    if queue == photos, !live.contains(object) { albums[0].photos.append(object) }
    let tags = [2, Photo.pinnedTag, 9].filter { _ in random.chance(50) }
    let fields = tags.map { FileField(tag: $0, of: pickFiles(of: queue)) }
    fault(.fileFields)
    trace("\(object.short) in \(queue.short) names files in \(tags)")
    let changes = OperationChanges(objects: [ObjectChange(object, action, files: fields)])
    let mutation = CommitRequest.Mutation(
      operation: randomID(), firstSent: Self.farAway, changes: try changes.encoded())
    let user = random.pick([owner, devices[random.below(devices.count)].user])
    guard server.history.isMember(user, of: queue) else { return }
    try holdingFaults { try server.commit(CommitRequest(queue: queue, mutations: [mutation]), by: user) }
    if random.chance(40) { server.performUpkeep(.filesAtOnce) }
  }

  private func fileAction(in queue: UUIDValue) throws -> ObjectChange.Action {
    var edit = PatchBuilder()
    // What is there already, mostly: the photo stays as it is.
    if random.chance(50) { edit.set(Photo.albumTag, queue) } else { edit.set(Photo.captionTag, "\(random.below(3))") }
    if random.chance(60) { return .patch(try edit.patch()) }
    let content = RecordWriter.photo(in: queue)
    let patch = random.chance(50) ? try edit.patch(filling: content) : try PatchBuilder().patch(filling: content)
    return .create(type: Photo.modelName, patch, Revival(isReviving: random.chance(30)))
  }

  /// Mostly such as the queue has.
  private func pickFiles(of queue: UUIDValue) -> [ContentHash] {
    let there = server.referee.filePlaces.filter { $0.queue == queue }.map(\.hash)
    let known = random.chance(70) && !there.isEmpty ? there : files.bytes.keys.sorted()
    return known.isEmpty ? [] : (0..<random.below(3)).map { _ in random.pick(known) }
  }
}
