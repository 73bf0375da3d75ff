// The edits of one object, and the one operation that they become.

import ClientStore
import Determinism
import ModelRuntime
import Observation

/// Shows the draft at once, and performs it when `EditPause` says so.
///
/// The task that waits for the pause keeps it alive: an edit becomes an operation although its view has gone.
@MainActor
@Observable
final class ObjectEdits<Object: Model>: WaitingEdits {
  @ObservationIgnored private let id: ObjectID<Object>
  @ObservationIgnored private let store: ModelStore
  /// Called once the draft is performed.
  @ObservationIgnored private let end: @MainActor () -> Void
  @ObservationIgnored private var pause = EditPause()
  private var draft: Draft<Object>?

  init(_ id: ObjectID<Object>, _ store: ModelStore, end: @escaping @MainActor () -> Void) {
    (self.id, self.store, self.end) = (id, store, end)
  }

  func set<Value>(_ field: WritableKeyPath<Object, Value>, to value: Value) {
    let object = (try? store.object(id)) ?? Object(zeroWithID: id)
    var draft = draft ?? Draft(of: object)
    draft.set(field, to: value, in: object)
    self.draft = draft
    perform(pause.edited(at: store.environment.nowMilliseconds()))
  }

  /// The object with its draft.
  func shown(_ object: Object) -> Object { draft?.merged(into: object) ?? object }

  func perform() { perform(pause.end()) }

  private func perform(_ action: EditPause.Action?) {
    switch action {
    case .wake(let milliseconds): wake(after: milliseconds)
    case .perform:
      store.update(id) { [draft] object in object = draft?.merged(into: object) ?? object }
      draft = nil
      end()
    case nil: break
    }
  }

  private func wake(after milliseconds: Int64) {
    let environment = store.environment
    environment.spawn {
      // Nobody cancels this task; if it were cancelled, the edit would be performed early.
      try? await environment.sleep(milliseconds: milliseconds)
      await self.woke()
    }
  }

  private func woke() { perform(pause.woke(at: store.environment.nowMilliseconds())) }
}
