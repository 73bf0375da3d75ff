// `@Live`: an object in a view.

#if canImport(SwiftUI)
  public import ModelRuntime
  public import SwiftUI

  /// An object of the store, always as the user sees it; nil while there is none.
  ///
  /// ```swift
  /// struct NoteRow: View {
  ///   @Live var note: Note?                                   // NoteRow(note: Live(id))
  ///   var body: some View { TextField("Title", text: $note.title) }
  /// }
  /// ```
  ///
  /// The store is that of `.modelStore(_:)`. `$note` has a binding for each field; see `FieldBindings`.
  @MainActor
  @propertyWrapper
  public struct Live<Object: Model>: DynamicProperty {
    private let id: ObjectID<Object>
    @State private var opened = Opened<LiveValue<Object?>>()
    @Environment(\.storeEdits) private var edits

    public init(_ id: ObjectID<Object>) { self.id = id }

    /// The object, with what is being typed into its fields.
    public var wrappedValue: Object? { projectedValue.object }

    /// Bindings to the fields.
    public var projectedValue: FieldBindings<Object> {
      let edits = edits.orStop
      let live = opened.value(of: [edits.store], id) { edits.store.live(id) }
      return FieldBindings(id: id, live: live, edits: edits)
    }
  }
#endif
