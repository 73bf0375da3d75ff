// A member's program that is not ours puts objects into one queue that name another.

import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension World {
  /// Forges something, or asks for a queue as if it were another app's.
  func forge() throws {
    if plan.hasTwoApps, random.chance(40) { try askByAnotherApp() } else { try forgePhoto() }
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
