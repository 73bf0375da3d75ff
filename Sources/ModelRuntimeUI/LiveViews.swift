// `@LiveViews`: a list whose rows show a view of the schema.

#if canImport(SwiftUI)
  public import ModelRuntime
  public import SwiftUI

  /// A list with a view of the schema for each row: `@LiveViews(Photo.timeline, as: Photo.Cell.self) var cells`.
  ///
  /// `cells` is the list, and `$cells.view(id)` what a row shows. The list is drawn again when a view changes, whichever
  /// object has caused that.
  @MainActor
  @propertyWrapper
  public struct LiveViews<RowView: ModelView, Section: ListSection>: DynamicProperty {
    private let definition: ListDefinition<RowView.Object, Section>
    private let calendar: ListCalendar
    @State private var opened = Opened<OpenedViews<RowView, Section>>()
    @Environment(\.storeEdits) private var edits

    /// Days, weeks, months and years are those of the calendar.
    public init(
      _ definition: ListDefinition<RowView.Object, Section>, as view: RowView.Type, calendar: ListCalendar = .current
    ) {
      (self.definition, self.calendar) = (definition, calendar)
    }

    /// The list as it is now.
    public var wrappedValue: ListSnapshot<RowView.Object, Section> { views.live.value }

    /// The list itself, which has the views.
    public var projectedValue: ViewList<RowView, Section> { views.list }

    private var views: OpenedViews<RowView, Section> {
      let store = edits.orStop.store
      return opened.value(of: [store], definition.key(in: calendar)) {
        OpenedViews(store.list(definition, as: RowView.self, calendar: calendar))
      }
    }
  }

  /// An open list of views, and what observes it.
  @MainActor
  private struct OpenedViews<RowView: ModelView, Section: ListSection> {
    let list: ViewList<RowView, Section>
    let live: LiveValue<ListSnapshot<RowView.Object, Section>>

    init(_ list: ViewList<RowView, Section>) { (self.list, live) = (list, list.live()) }
  }
#endif
