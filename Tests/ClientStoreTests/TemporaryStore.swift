// A store in a folder of its own, which is removed when the test ends.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs

final class TemporaryStore {
  let folder: String
  let user = UserID(high: 1, low: 1)
  private(set) var store: ModelStore

  init() throws {
    folder = NSTemporaryDirectory() + "modelgen-store-\(UUID().uuidString)"
    store = try ModelStore(at: folder, schema: MomentsSchema.self, user: user)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Opens the store again, as the next start of the app does.
  func reopen() throws -> ModelStore {
    store.abandon()
    store = try ModelStore(at: folder, schema: MomentsSchema.self, user: user)
    return store
  }
}

extension ModelStore {
  /// The state of an object as a server would send it, created by the user of this store.
  func state<Object: Model>(of object: Object, revision: Int64) throws -> ObjectState {
    ObjectState(
      id: object.id.rawValue, revision: revision,
      live: .init(
        type: Object.modelName, content: try object.encoded(), system: SystemFields(createdBy: user, at: .zero)))
  }
}
