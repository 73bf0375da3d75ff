// A store with a clock that a test moves, and the edits of its views.

import Determinism
import Foundation
import ModelSupport
import MomentsModels
import StoreTestSupport
import TestSupport

@testable import ModelRuntimeUI

@MainActor
final class EditWorld {
  let time = HandTime(1_000)
  let store: ModelStore
  let edits: StoreEdits
  let moment = Moment(title: "Hut")
  private let folder: TemporaryFolder

  init() throws {
    let folder = try TemporaryFolder()
    let environment = time.environment(seed: 1, spawning: RuntimeEnvironment.live.spawn)
    store = try RuntimeEnvironment.$current.withValue(environment) {
      try ModelStore(at: folder.url.path, schema: MomentsSchema.self, user: UserID(UUIDValue(high: 1, low: 1)))
    }
    self.folder = folder
    edits = StoreEdits(store)
    store.create(moment)
  }

  func type(_ title: String) { edits.set(\.title, to: title, of: moment.id) }

  /// What views show of the moment.
  func shown() throws -> String? { try stored().map { edits.shown($0, moment.id).title } }

  func stored() throws -> Moment? { try store.object(moment.id) }

  /// The operations on the moment after its creation.
  var operations: Int { store.pendingOperations.count - 1 }
}
