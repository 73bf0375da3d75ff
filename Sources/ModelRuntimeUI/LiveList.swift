// `@LiveList`: a list in a view.

#if canImport(SwiftUI)
  public import ModelRuntime
  public import SwiftUI

  /// A list of the store, always up to date: `@LiveList(Note.byDue) var notes`.
  ///
  /// `notes.sections` and `notes.ids` are for `ForEach`. `$notes` is the list's handle: whether all was read, why not, and
  /// pausing. A list whose parameter depends on the view is given to it: `Gallery(photos: LiveList(Photo.inMoment(…)))`.
  @MainActor
  @propertyWrapper
  public struct LiveList<Object: Model, Section: ListSection>: DynamicProperty {
    private let definition: ListDefinition<Object, Section>
    private let calendar: ListCalendar
    @State private var opened = Opened<OpenedList<Object, Section>>()
    @Environment(\.storeEdits) private var edits

    /// Days, weeks, months and years are those of the calendar.
    public init(_ definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current) {
      (self.definition, self.calendar) = (definition, calendar)
    }

    /// The list as it is now.
    public var wrappedValue: ListSnapshot<Object, Section> { list.live.value }

    /// The list itself.
    public var projectedValue: ListHandle<Object, Section> { list.handle }

    private var list: OpenedList<Object, Section> {
      let store = edits.orStop.store
      return opened.value(of: [store], definition.key(in: calendar)) {
        OpenedList(store.list(definition, calendar: calendar))
      }
    }
  }

  /// An open list, and what observes it.
  @MainActor
  private struct OpenedList<Object: Model, Section: ListSection> {
    let handle: ListHandle<Object, Section>
    let live: LiveValue<ListSnapshot<Object, Section>>

    init(_ handle: ListHandle<Object, Section>) { (self.handle, live) = (handle, handle.live()) }
  }
#endif
