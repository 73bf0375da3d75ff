// The changes of an operation, by object and field.
import ModelSupport

struct ChangeReading: Equatable {
  var object: UUIDValue
  /// Nil where nothing in the store names the model of the object.
  var model: String?
  var action: Action
  /// Whether the create revives an object whose delete was still in the outbox.
  var isReviving = false
  /// The state of the queue that the user saw when performing the create.
  var seen: SeenVersion?
  var newestBy: Int64?
  var condition: ObjectChange.Condition?
  var edits: [FieldEdit] = []
  /// The files that fields name after the change.
  var files: [NamedFiles] = []

  enum Action: String {
    case create, upsert, patch, delete
  }

  /// `models` gives the model of an object, because patches and deletes do not name it.
  init(_ change: ObjectChange, _ tables: StoreTables, _ models: (UUIDValue) -> String?) {
    object = change.object
    newestBy = change.newestBy
    condition = change.condition
    switch change.action {
    case .create(let type, let patch, let revival):
      model = type
      isReviving = revival.isReviving
      seen = revival.seen
      edits = FieldEdit.all(of: patch, as: tables.fields(of: type))
      action = edits.allSatisfy { $0.action == .fill } ? .create : .upsert
    case .patch(let patch):
      model = models(change.object)
      action = .patch
      edits = FieldEdit.all(of: patch, as: tables.fields(of: model))
    case .delete:
      model = models(change.object)
      action = .delete
    }
    files = change.files.map { NamedFiles($0, tables.fields(of: model)) }
  }
}

/// The files of one field.
struct NamedFiles: Equatable {
  var tag: Int
  /// Nil for a field that has no name in the store's tables.
  var name: String?
  var hashes: [ContentHash]

  init(_ field: FileField, _ fields: [StoredField]) {
    (tag, hashes) = (field.tag, field.hashes)
    name = fields.first { $0.tag == field.tag }?.name
  }
}

/// The change that a patch makes to one field.
struct FieldEdit: Equatable {
  var action: Action
  var tag: Int
  /// Nil for a field that has no name in the store's tables.
  var name: String?
  /// Nil for `clear`.
  var value: FieldValue?

  enum Action: Int {
    /// The raw values are the tags of the parts of a patch (docs/formats/blob-format.md).
    case set = 1
    case clear, insert, remove, increment, fill
  }

  /// The edits of a patch, sorted by tag. A `Patch` is well-formed, since it is checked when it is made.
  static func all(of patch: Patch, as fields: [StoredField]) -> [Self] {
    let edits = patch.bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      var edits: [Self] = []
      while let part = try? reader.next() {
        guard let action = Action(rawValue: part.tag) else { continue }
        edits += Self.edits(action, Array(bytes[part.value]), fields)
      }
      return edits
    }
    return edits.enumerated().sorted { ($0.element.tag, $0.offset) < ($1.element.tag, $1.offset) }.map(\.element)
  }

  private static func edits(_ action: Action, _ bytes: [UInt8], _ fields: [StoredField]) -> [Self] {
    guard action == .clear else {
      return MessageReading(bytes, as: fields).entries.map {
        Self(action: action, tag: $0.tag, name: $0.name, value: $0.value)
      }
    }
    return bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      var edits: [Self] = []
      while reader.offset < bytes.count, let tag = try? reader.varint() {
        let name = fields.first { $0.tag == Int(tag.value) }?.name
        edits.append(Self(action: .clear, tag: Int(tag.value), name: name, value: nil))
      }
      return edits
    }
  }
}
