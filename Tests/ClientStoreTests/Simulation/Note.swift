// The models of the simulation, as the generator would write them. `Note` is shared, `Draft` never leaves the device.

import ModelSupport

struct Note: Model {
  let id: ObjectID<Note>
  var box: QueueID
  var title: String?
  var views: Int64 = 0
  var tags: SortedSet<String> = []
  var unknownFields = UnknownFields.none

  static let modelName = "note"
  var queueID: QueueID? { box }

  init(zeroWithID id: ObjectID<Note>) { (self.id, box) = (id, .zero) }

  init(_ id: ObjectID<Note>, in box: QueueID, _ value: NoteValue) {
    (self.id, self.box) = (id, box)
    (title, views, tags) = (value.title, value.views, SortedSet(value.tags))
  }

  static let fieldTable = FieldTable(
    "note", unknownFields: \Self.unknownFields, Field(1, "box", \Self.box), Field(2, "title", \Self.title),
    Field(3, "views", counter: \Self.views), Field(4, "tags", \Self.tags))
}

struct Draft: Model {
  let id: ObjectID<Draft>
  var text = ""
  var unknownFields = UnknownFields.none

  static let modelName = "draft"
  var queueID: QueueID? { nil }

  init(zeroWithID id: ObjectID<Draft>) { self.id = id }

  static let fieldTable = FieldTable("draft", unknownFields: \Self.unknownFields, Field(1, "text", \Self.text))
}

enum NotesSchema: SchemaDescription {
  static let name = "Notes"
  static let models: [any Model.Type] = [Draft.self, Note.self]
}

/// Edits several notes. Written by hand, against the same protocol as generated operations.
struct EditNotes: ModelOperation {
  var notes: [ObjectID<Note>]
  var edits: [NoteEdit]

  static let operationName = "note.editAll"
  static let fieldTable = FieldTable(projection: "note.editAll", Field(1, "notes", \Self.notes))

  func evaluate(in context: inout OperationContext) throws {
    var patch = PatchBuilder()
    for edit in edits { edit.add(to: &patch) }
    for note in notes { try context.edit(note, patch) }
  }
}

/// One change of a note, as the oracle describes it.
enum NoteEdit: Hashable, Sendable {
  case title(String?)
  case views(Int64)
  case insert(String)
  case remove(String)

  func add(to patch: inout PatchBuilder) {
    switch self {
    case .title(let title): patch.set(2, title)
    case .views(let amount): patch.increment(3, by: amount)
    case .insert(let tag): patch.insert(4, tag)
    case .remove(let tag): patch.remove(4, tag)
    }
  }
}

/// A note in plain values, as the oracle works with it: no bytes, no field tags, no merge.
struct NoteValue: Hashable, Sendable {
  var title: String?
  var views: Int64 = 0
  var tags: Set<String> = []

  init(title: String? = nil, views: Int64 = 0, tags: Set<String> = []) {
    (self.title, self.views, self.tags) = (title, views, tags)
  }

  init(_ note: Note) {
    (title, views, tags) = (note.title, note.views, Set(note.tags))
  }
}

/// The effect of an operation on one note.
enum NoteEffect: Hashable, Sendable {
  case create(NoteValue, NoteRevival)
  case edit([NoteEdit])
  case delete

  func applied(to note: NoteValue?) -> NoteValue? {
    switch (self, note) {
    case (.create(let value, _), nil): return value
    case (.create(let value, _), var note?):
      // Fills an absent title and absent tags. A counter is never absent.
      if note.title == nil { note.title = value.title }
      if note.tags.isEmpty { note.tags = value.tags }
      return note
    case (.edit, nil), (.delete, _): return nil
    case (.edit(let edits), var note?):
      for edit in edits {
        switch edit {
        case .title(let title): note.title = title
        case .views(let amount): note.views &+= amount
        case .insert(let tag): note.tags.insert(tag)
        case .remove(let tag): note.tags.remove(tag)
        }
      }
      return note
    }
  }
}
