// The edits in the views of a store. Views that show the same object show what is typed into any of them.

import ModelRuntime
import Observation

/// The objects with edits that wait for a pause.
@MainActor
@Observable
final class StoreEdits {
  @ObservationIgnored nonisolated let store: ModelStore
  private var waiting: [UUIDValue: any WaitingEdits] = [:]

  init(_ store: ModelStore) { self.store = store }

  /// Sets a field of an object: on the screen at once, in the store after a pause, or at once if the value was chosen.
  func set<Object: Model, Value>(_ field: WritableKeyPath<Object, Value>, to value: Value, of id: ObjectID<Object>) {
    let edits = self.edits(of: id) ?? begin(id)
    edits.set(field, to: value)
    if isChosen(Value.self) { edits.perform() }
  }

  /// The object as the user sees it, with what waits.
  func shown<Object: Model>(_ object: Object, _ id: ObjectID<Object>) -> Object {
    edits(of: id)?.shown(object) ?? object
  }

  /// Performs what waits for one object.
  func perform<Object: Model>(_ id: ObjectID<Object>) { waiting[id.rawValue]?.perform() }

  /// Performs everything that waits.
  func performAll() {
    for id in waiting.keys.sorted() { waiting[id]?.perform() }
  }

  private func edits<Object: Model>(of id: ObjectID<Object>) -> ObjectEdits<Object>? {
    waiting[id.rawValue] as? ObjectEdits<Object>
  }

  private func begin<Object: Model>(_ id: ObjectID<Object>) -> ObjectEdits<Object> {
    let edits = ObjectEdits(id, store) { [weak self] in self?.waiting[id.rawValue] = nil }
    waiting[id.rawValue] = edits
    return edits
  }
}

/// The edits of an object of any model.
@MainActor
protocol WaitingEdits: AnyObject {
  func perform()
}
