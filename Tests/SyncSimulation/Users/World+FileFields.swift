// A member's program changes photos and says which files their fields name.

import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Makes, fills, edits or leaves one photo up to three times. Its fields name other files each time.
  func nameFiles() throws {
    let app = anyApp()
    let queue = random.pick([app.photos, app.photos, app.inbox])
    let states = server.history.state.queues[queue]?.objects ?? [:]
    let live = states.filter { $0.value.live?.type == Photo.modelName }.keys.sorted()
    let object = live.isEmpty || random.chance(20) ? randomID(in: queue) : random.pick(live)
    if queue == app.photos, !live.contains(object) { albums[app.number].photos.append(object) }
    let tags = [2, Photo.pinnedTag, 9].filter { $0 == 9 || random.chance(30) }
    let user = random.chance(70) ? owner : devices[random.below(devices.count)].user
    fault(.fileFields)
    for _ in 0...random.below(3) {
      guard server.history.isMember(user, of: queue) else { return }
      let change = ObjectChange(
        object, try fileAction(in: queue), files: tags.map { FileField(tag: $0, of: pickFiles(of: queue)) })
      trace("\(object.short) in \(queue.short) names files in \(tags)")
      try holdingFaults { try commit(OperationChanges(objects: [change]), to: queue, by: user) }
    }
    if random.chance(40) { server.performUpkeep(.filesAtOnce) }
  }

  private func fileAction(in queue: QueueID) throws -> ObjectChange.Action {
    var edit = PatchBuilder()
    // Half of the time the patch sets what is there already, so that the photo stays as it is.
    if random.chance(50) { edit.set(Photo.albumTag, queue) } else { edit.set(Photo.captionTag, "\(random.below(3))") }
    if random.chance(60) { return .patch(try edit.patch()) }
    let content = RecordWriter.photo(in: queue)
    let patch = random.chance(50) ? try edit.patch(filling: content) : try PatchBuilder().patch(filling: content)
    return .create(type: Photo.modelName, patch, Revival(isReviving: random.chance(30)))
  }

  /// Draws files, mostly some that the queue has and that nothing names.
  private func pickFiles(of queue: QueueID) -> [ContentHash] {
    let there = server.referee.filePlaces.filter { $0.queue == queue }.map(\.hash)
    let named = server.referee.model.queues[PlainID(queue)]?.files
    let free = there.filter { named?.isNamed($0.bytes) != true }
    let choices = [free, there, files.bytes.keys.sorted()].filter { !$0.isEmpty }
    guard let known = random.chance(70) ? choices.first : choices.last else { return [] }
    return (0..<random.below(3)).map { _ in random.pick(known) }
  }
}
