// The store of a view: given once, at the root.

#if canImport(SwiftUI)
  public import ModelRuntime
  public import SwiftUI

  extension View {
    /// Gives a store to the views inside, for `@Live`, `@LiveList`, `@LiveViews` and `@Environment(\.modelStore)`.
    ///
    /// Edits that wait for a pause in typing are performed when the scene is no longer active.
    public func modelStore(_ store: ModelStore) -> some View { modifier(ModelStoreModifier(store: store)) }
  }

  extension EnvironmentValues {
    /// The store of `.modelStore(_:)`; nil outside of it.
    public var modelStore: ModelStore? { storeEdits?.store }

    var storeEdits: StoreEdits? {
      get { self[StoreEditsKey.self] }
      set { self[StoreEditsKey.self] = newValue }
    }
  }

  private struct StoreEditsKey: EnvironmentKey {
    static var defaultValue: StoreEdits? { nil }
  }

  private struct ModelStoreModifier: ViewModifier {
    let store: ModelStore
    @State private var opened = Opened<StoreEdits>()
    @Environment(\.scenePhase) private var phase

    func body(content: Content) -> some View {
      let edits = opened.value(of: [store]) { StoreEdits(store) }
      content.environment(\.storeEdits, edits).onChange(of: phase) {
        if phase != .active { edits.performAll() }
      }
    }
  }

  extension StoreEdits? {
    /// The store's edits, which every wrapper needs.
    @MainActor var orStop: StoreEdits {
      guard let self else {
        preconditionFailure(
          "There is no store here. Put .modelStore(store) around the view, and read @Live, @LiveList and @LiveViews in "
            + "`body` or later, not in `init`.")
      }
      return self
    }
  }
#endif
