// A list as the schema declares it: which objects, in what order, in which sections. Generated from `lists:`.

public import Snapshots
public import SyncProtocol
public import WireFormat

/// Which objects of a model are in a list, and where. `ModelStore.open(_:)` makes a live list of it.
///
/// Only the fields in `Fields`, which decide the place of an object, are read.
public struct ListDefinition<Object: Model, Section: ListSection>: Sendable {
  /// Model and list, such as `photo.timeline`; with the value of a parameter, such as `photo.inMoment(…)`.
  public let name: String
  /// The queue that all objects of the list are in; nil where it may be any. Only this queue is read.
  package private(set) var queue: QueueID?
  package let layout: ListOrdering
  /// Whether sections are in descending order.
  package let isDescending: Bool
  /// How many objects are shown at most; nil for all.
  package let limit: Int?
  /// Whether objects come and go as time passes.
  package let followsTime: Bool
  /// What the list asks about other objects than its own; nil where an object's own fields decide its place.
  package let asked: [AskedChildren]?
  package let place: ListPlacing

  /// `place` gives the place of an object, nil if it is not in the list. `queue` is the only one that the objects of the
  /// list can be in, if there is one. `limit` is how many objects are shown at most. `asking` has the lists of children
  /// that `place` asks about, and is empty where it only looks up other objects.
  public init<Fields: ListFields>(
    _ name: String, per parameter: Any? = nil, in queue: QueueID? = nil, _ layout: ListOrdering = ListOrdering(),
    isDescending: Bool = false, limit: Int? = nil, asking asked: [AskedChildren]? = nil,
    place: @escaping @Sendable (Fields, ListContext) throws -> ListPlace?
  ) {
    self.init(name, parameter, queue, layout, isDescending, limit, followsTime: false, asked, place)
  }

  /// A list with `$now` or `$today` in its condition. `place` gives the place of an object, and the moments at which it
  /// is in the list.
  public init<Fields: ListFields>(
    _ name: String, per parameter: Any? = nil, in queue: QueueID? = nil, _ layout: ListOrdering = ListOrdering(),
    isDescending: Bool = false, limit: Int? = nil, asking asked: [AskedChildren]? = nil,
    place: @escaping @Sendable (Fields, ListContext, inout ListMoments) throws -> ListPlace?
  ) {
    self.init(name, parameter, queue, layout, isDescending, limit, followsTime: true, asked) {
      (fields: Fields, context) in
      var moments = ListMoments()
      var found = try place(fields, context, &moments)
      if moments.isNever { return nil }
      if !moments.isAlways { found?.moments = moments }
      return found
    }
  }

  private init<Fields: ListFields>(
    _ name: String, _ parameter: Any?, _ queue: QueueID?, _ layout: ListOrdering, _ isDescending: Bool, _ limit: Int?,
    followsTime: Bool, _ asked: [AskedChildren]?,
    _ place: @escaping @Sendable (Fields, ListContext) throws -> ListPlace?
  ) {
    self.name = parameter.map { "\(name)(\($0))" } ?? name
    self.queue = queue
    self.layout = layout
    self.isDescending = isDescending
    self.limit = limit
    self.followsTime = followsTime
    self.asked = asked
    self.place = { content, context in
      let fields = try Fields(scanning: content)
      // An object that names another queue than its own is in no list, as in `Model.init?(id:blob:in:)`.
      let named = fields.queueID(of: context.id)
      guard named == context.queue || named == .zero else { return nil }
      return try place(fields, context)
    }
  }
}

extension ListDefinition {
  /// The same list with the objects of one queue only.
  package func reading(only queue: QueueID) -> Self {
    var list = self
    list.queue = queue
    return list
  }
}

/// Where the object of a context stands, from its bytes; nil where it is not in the list. Throws if its bytes are
/// damaged.
package typealias ListPlacing = @Sendable (_ content: UnsafeRawBufferPointer, ListContext) throws -> ListPlace?

/// The fields of an object by which a list is filtered, ordered and divided.
public protocol ListFields: FieldProjection {
  /// The queue that an object with these fields names; nil for an object that never leaves the device.
  func queueID(of id: UUIDValue) -> QueueID?
}

/// The place of an object: its section, and the key that sorts it there.
public struct ListPlace: Hashable, Sendable {
  public var section: ListKey
  public var order: ListKey
  /// Only the first of the objects with the same value is in the list. Objects without a value are all in it.
  public var distinct: DistinctValue?
  /// When the object is in the list; nil for always.
  package var moments: ListMoments?

  /// By default all objects are in one section. Sections by gap follow from `order`.
  public init(section: ListKey = .number(0), order: ListKey, distinct: DistinctValue? = nil) {
    self.section = section
    self.order = order
    self.distinct = distinct
  }
}

/// How a list is divided and sorted: the kinds of its keys.
public struct ListOrdering: Hashable, Sendable {
  public var sections: ListLayout.Sections
  public var order: ListLayout.Order
  /// The sections that stay in the list while they are empty.
  public var keptSections: [ListKey]

  public init(
    sections: ListLayout.Sections = .numbers, order: ListLayout.Order = .numbers, keptSections: [ListKey] = []
  ) {
    self.sections = sections
    self.order = order
    self.keptSections = keptSections
  }

  package func layout(of rows: RowTable) -> ListLayout {
    ListLayout(rows: rows, sections: sections, order: order, keptSections: keptSections)
  }
}

extension [ListKey] {
  /// The keys of sections that are kept when they are empty, of a list in ascending order.
  public static func ascending<Value: ListNumber>(_ values: [Value]) -> Self { values.map { .ascending($0) } }
  /// The keys of sections that are kept when they are empty, of a list in descending order.
  public static func descending<Value: ListNumber>(_ values: [Value]) -> Self { values.map { .descending($0) } }
}

/// What the terms of a list refer to besides the fields of an object.
public struct ListContext: Sendable {
  /// The object that is looked at.
  public var id = UUIDValue.zero
  /// `$me` of a schema.
  public var user: UserID
  /// The calendar of `$today`, and of sections by day, week, month and year.
  public var calendar: ListCalendar
  /// The queue of the object that is looked at; nil for an object that never leaves the device.
  public var queue: QueueID?
  /// Those of the object that is looked at.
  public var system: SystemFields
  package var asked: (any ViewSource & Sendable)?

  public init(
    user: UserID, calendar: ListCalendar, queue: QueueID? = nil,
    system: SystemFields = SystemFields(createdBy: .zero, at: .zero)
  ) {
    self.user = user
    self.calendar = calendar
    self.queue = queue
    self.system = system
  }
}
