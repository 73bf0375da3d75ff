// Bindings to the fields of an object.

#if canImport(SwiftUI)
  public import ModelRuntime
  public import SwiftUI

  /// A binding for each field of an object, by the field's name: `$note.title`.
  ///
  /// What is typed is on the screen at once. It becomes an operation when nothing was typed for half a second, at the
  /// latest after five seconds of typing, and when the scene is no longer active; all fields of the object together. A
  /// `Bool` or an enum is no typing, and becomes an operation at once.
  ///
  /// If the operation fails, `ModelStore.failedOperations` has it with what was typed. The fields of an object that is
  /// not there have their declared defaults.
  @MainActor
  @dynamicMemberLookup
  public struct FieldBindings<Object: Model> {
    let id: ObjectID<Object>
    let live: LiveValue<Object?>
    let edits: StoreEdits

    /// A binding to a field, or to a computed property of the object that can be set.
    public subscript<Value: Sendable>(
      dynamicMember field: any WritableKeyPath<Object, Value> & Sendable
    ) -> Binding<Value> {
      binding {
        (object ?? Object(zeroWithID: id))[keyPath: field]
      } set: { value in
        edits.set(field, to: value, of: id)
      }
    }

    /// A binding to a text that may be absent, which is shown as the empty text: clearing the text makes it absent.
    public subscript(dynamicMember field: any WritableKeyPath<Object, String?> & Sendable) -> Binding<String> {
      binding {
        object?[keyPath: field] ?? ""
      } set: { value in
        edits.set(field, to: value.isEmpty ? nil : value, of: id)
      }
    }

    /// Performs now what was typed, for `onSubmit`, and before an operation that needs it.
    public func performEdits() { edits.perform(id) }

    /// The error for which the object cannot be read; nil if it can.
    public var error: StoreError? { live.error }

    var object: Object? { live.value.map { edits.shown($0, id) } }

    private func binding<Value: Sendable>(
      _ get: @escaping @MainActor @Sendable () -> Value, set: @escaping @MainActor @Sendable (Value) -> Void
    ) -> Binding<Value> {
      // Read in `body`, so that the view is drawn again whenever SwiftUI reads the binding itself.
      _ = get()
      return Binding(get: get, set: set)
    }
  }
#endif
