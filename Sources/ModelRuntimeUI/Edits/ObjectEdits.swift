// The edits of one object, and the one operation that they become.

import ClientStore
import Determinism
import ModelRuntime
import Observation

/// Shows drafts at once, and performs them when `EditPause` says so.
///
/// The task that waits for the pause keeps it alive: an edit becomes an operation although its view has gone.
@MainActor
@Observable
final class ObjectEdits<Object: Model>: WaitingEdits {
  @ObservationIgnored private let id: ObjectID<Object>
  @ObservationIgnored private let store: ModelStore
  /// Called once all drafts are performed.
  @ObservationIgnored private let end: @MainActor () -> Void
  @ObservationIgnored private var pause = EditPause()
  private var drafts = Drafts<Object>()

  init(_ id: ObjectID<Object>, _ store: ModelStore, end: @escaping @MainActor () -> Void) {
    (self.id, self.store, self.end) = (id, store, end)
  }

  func set<Value>(_ field: WritableKeyPath<Object, Value>, to value: Value) {
    drafts.set(field, to: value)
    perform(pause.edited(at: store.environment.nowMilliseconds()))
  }

  /// The object with its drafts.
  func shown(_ object: Object) -> Object {
    var object = object
    drafts.apply(to: &object)
    return object
  }

  func perform() { perform(pause.end()) }

  private func perform(_ action: EditPause.Action?) {
    switch action {
    case .wake(let milliseconds): wake(after: milliseconds)
    case .perform:
      store.update(id, drafts.apply)
      drafts = Drafts()
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
