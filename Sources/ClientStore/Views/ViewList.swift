// An open list of views: what is where, and what each row shows.

public import ModelTypes
import Snapshots
public import WireFormat

extension ModelStore {
  /// A list whose rows show a view; see `list(_:calendar:)`.
  public func list<View: ModelView, Section: ListSection>(
    _ definition: ListDefinition<View.Object, Section>, as view: View.Type, calendar: ListCalendar = .current
  ) -> ViewList<View, Section> {
    ViewList(list(definition, calendar: calendar))
  }
}

/// A list with a view for each row. Safe to use from every thread.
///
/// Views are derived when they are asked for. The last 1,000 are followed: `updates` names a row when its view has
/// changed, whichever object has caused that.
public final class ViewList<View: ModelView, Section: ListSection>: Sendable {
  /// The list without its views: which object is where.
  public let list: ListHandle<View.Object, Section>
  let core: ViewCore<View>

  init(_ list: ListHandle<View.Object, Section>) {
    self.list = list
    core = ViewCore(list.core)
  }

  /// The view of a row as it is now; nil once its object is gone. Throws a `StoreError` if it cannot be read.
  public func view(_ id: ObjectID<View.Object>) throws -> View? { try core.view(id) }

  /// Like the `updates` of the list, but the updated rows are those whose views have changed.
  public var updates: ListUpdates<View.Object, Section> {
    ListUpdates(list: list, views: core)
  }

  /// Whether all objects were read, also those that views count. Until then counts may grow.
  public var isComplete: Bool { list.isComplete && core.isComplete }

  /// The list, for a view of the screen to observe. It is drawn again after every change.
  @MainActor
  public func live() -> LiveValue<ListSnapshot<View.Object, Section>> { list.live() }
}
