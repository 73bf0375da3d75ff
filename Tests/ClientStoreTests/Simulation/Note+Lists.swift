// The lists and views of the simulation, as the generator would write them, and their expected content.

import ModelSupport
import SampleIDs

struct NoteFields: ListFields {
  var box = QueueID.zero
  var title: String?
  var views: Int64 = 0
  var tags: SortedSet<String> = []

  static let fieldTable = FieldTable(
    projection: "note", Field(1, "box", \Self.box), Field(2, "title", \Self.title),
    Field(3, "views", counter: \Self.views), Field(4, "tags", \Self.tags))

  func queueID(of id: UUIDValue) -> QueueID? { box }
}

struct DraftFields: ListFields {
  var text = ""

  static let fieldTable = FieldTable(projection: "draft", Field(1, "text", \Self.text))

  func queueID(of id: UUIDValue) -> QueueID? { nil }
}

extension Note {
  /// Notes with a title, most views first, in sections of ten views. Of notes with the same title only the first.
  static var byViews: ListDefinition<Note, Int64> {
    ListDefinition("note.byViews", isDescending: true) { (fields: NoteFields, _) in
      guard fields.title != nil else { return nil }
      return ListPlace(
        section: .descending(fields.views / 10), order: .descending(fields.views), distinct: .exact(fields.title))
    }
  }

  /// Notes with tags, fewest views first.
  static var tagged: ListDefinition<Note, Unsectioned> {
    ListDefinition("note.tagged") { (fields: NoteFields, _) in
      fields.tags.isEmpty ? nil : ListPlace(order: .ascending(fields.views))
    }
  }
}

extension Note {
  /// Notes that name one with a title, in sections of how many name them, then by the sum of the views of those.
  static var named: ListDefinition<Note, Int64> {
    ListDefinition("note.named", isDescending: true, asking: [naming.asked, namingSumViews.asked]) {
      (fields: NoteFields, context) in
      guard try context.others.object(named(by: fields.views, in: fields.box))?.title != nil else { return nil }
      let id = NoteID(context.id)
      return ListPlace(
        section: .descending(Int64(try context.others.count(naming, of: id))),
        order: .ascending(try context.others.sum(namingSumViews, of: id)))
    }
  }
}

// Views.
extension Note {
  /// The note that a note names, which follows from its number of views.
  fileprivate static func named(by views: Int64, in box: QueueID) -> NoteID {
    .object(1 + UInt64(views.magnitude % 4), in: box)
  }

  /// Counts the notes that name a note.
  static var naming: ChildList<Note, Note> {
    ChildList("note.naming") { (fields: NoteFields, _) in Child(of: named(by: fields.views, in: fields.box)) }
  }

  static var namingSumViews: ChildList<Note, Note> {
    ChildList("note.naming sum views") { (fields: NoteFields, _) in
      Child(of: named(by: fields.views, in: fields.box), adding: fields.views)
    }
  }

  static var namingByViews: ChildList<Note, Note> {
    ChildList("note.naming by views") { (fields: NoteFields, _) in
      Child(of: named(by: fields.views, in: fields.box), by: .ascending(fields.views))
    }
  }

  /// A view of a note, with the title of the note that it names, and of the notes that name it: how many, how many have
  /// fewer views than it, the sum of their views, and which has the most.
  struct Line: Hashable {
    let id: NoteID
    let title: String?
    let named: String?
    let naming: Int
    let fewer: Int
    let views: Int64
    let most: NoteID?

    /// The expected view, worked out from all notes.
    init?(of id: NoteID, in box: QueueID, _ notes: [NoteID: NoteValue]) {
      guard let note = notes[id] else { return nil }
      self.id = id
      title = note.title
      named = notes[Note.named(by: note.views, in: box)]?.title
      let others = notes.filter { Note.named(by: $0.value.views, in: box) == id }
      naming = others.count
      fewer = others.values.count { $0.views < note.views }
      views = others.values.reduce(0) { $0 &+ $1.views }
      most = others.max { ($0.value.views, $0.key) < ($1.value.views, $1.key) }?.key
    }
  }
}

extension Note.Line: ModelView {
  init(of object: Note, from source: some ViewSource) throws {
    (id, title) = (object.id, object.title)
    named = try source.object(Note.named(by: object.views, in: object.box))?.title
    naming = try source.count(Note.naming, of: object.id)
    fewer = try source.count(Note.namingByViews, of: object.id, .less, object.views)
    views = try source.sum(Note.namingSumViews, of: object.id)
    most = try source.newest(Note.namingByViews, of: object.id)
  }
}

extension Draft {
  static var byLength: ListDefinition<Draft, Unsectioned> {
    ListDefinition("draft.byLength") { (fields: DraftFields, _) in
      ListPlace(order: .ascending(Int64(fields.text.utf8.count)))
    }
  }
}

/// The expected lists, sorted as a whole each time.
struct ExpectedLists {
  var byViews: [Int64: [NoteID]] = [:]
  var named: [Int64: [NoteID]] = [:]
  var tagged: [NoteID]
  var byLength: [ObjectID<Draft>]

  init(_ notes: [NoteID: NoteValue], _ drafts: [ObjectID<Draft>: String], in box: QueueID) {
    let ids = notes.keys.sorted()
    func views(_ id: NoteID) -> Int64 { notes[id]?.views ?? 0 }
    var titles: Set<String> = []
    for id in Self.sorted(ids, by: { views($0) > views($1) }) {
      guard let title = notes[id]?.title, titles.insert(title).inserted else { continue }
      byViews[views(id) / 10, default: []].append(id)
    }
    let lines = ids.compactMap { id in Note.Line(of: id, in: box, notes) }
    for line in Self.sorted(lines.filter { $0.named != nil }, by: { $0.views < $1.views }) {
      named[Int64(line.naming), default: []].append(line.id)
    }
    tagged = Self.sorted(ids.filter { notes[$0]?.tags.isEmpty == false }) { views($0) < views($1) }
    byLength = Self.sorted(drafts.keys.sorted()) {
      (drafts[$0] ?? "").utf8.count < (drafts[$1] ?? "").utf8.count
    }
  }

  /// Sorts, and keeps the order of equal values.
  private static func sorted<Value>(_ values: [Value], by precedes: (Value, Value) -> Bool) -> [Value] {
    values.enumerated().sorted { left, right in
      if precedes(left.element, right.element) { return true }
      return !precedes(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }
}
