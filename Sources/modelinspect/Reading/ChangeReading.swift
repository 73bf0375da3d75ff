// The changes of an operation, by object and field.
import ModelSupport

/// Names and numbers that are needed to decode rows of operations.
struct ReadingContext {
  var tables: StoreTables
  /// The model of an object, from an operation that creates it or from the object's confirmed row.
  var model: (UUIDValue) -> String?

  /// The changes of one object. Patches and deletes do not name its model.
  func report(_ change: ObjectChange) -> ReportValue {
    var (action, model, edits) = ("delete", model(change.object), [FieldEdit]())
    var revival = Revival.none
    switch change.action {
    case .create(let type, let patch, let given):
      (model, revival, edits) = (type, given, FieldEdit.all(of: patch, as: tables.fields(of: type)))
      action = edits.allSatisfy { $0.action == .fill } ? "create" : "upsert"
    case .patch(let patch):
      (action, edits) = ("patch", FieldEdit.all(of: patch, as: tables.fields(of: model)))
    case .delete: break
    }
    let seen = revival.seen.map { seen in
      ReportValue.worded(
        "even if it was deleted up to revision \(seen.cursor)",
        ["history": ReportValue(seen.history), "cursor": ReportValue(number: seen.cursor)])
    }
    return .record(
      title: "\(action) \(model ?? "object") \(change.object)",
      [
        "object": .hidden(ReportValue(change.object)), "model": .hidden(ReportValue(model)),
        "action": .hidden(.string(action)),
        "reviving": .worded(revival.isReviving ? "even if it was deleted" : "", .bool(revival.isReviving)),
        "seen": seen ?? .null, "newestBy": .hidden(ReportValue(number: change.newestBy)),
        "condition": change.condition?.report ?? .null, "edits": .lines(edits.map(\.report)),
        "files": .lines(change.files.map { report($0, tables.fields(of: model)) }),
      ])
  }

  private func report(_ files: FileField, _ fields: [StoredField]) -> ReportValue {
    let name = fields.first { $0.tag == files.tag }?.name ?? "#\(files.tag)"
    return [
      "field": .string(name), "tag": .hidden(ReportValue(number: files.tag)),
      "hashes": .list(files.hashes.map { ReportValue($0) }),
    ]
  }
}

extension ObjectChange.Condition {
  fileprivate var report: ReportValue {
    switch self {
    case .content(let hash): .worded("only if its content is \(hash)", ["content": ReportValue(hash)])
    case .absent: .worded("only if it is absent", ["absent": .bool(true)])
    }
  }
}

extension MemberChange {
  var report: ReportValue {
    switch action {
    case .follow(let role): ["user": ReportValue(user), "change": .string("follow"), "role": .string("\(role)")]
    case .role(let role): ["user": ReportValue(user), "change": .string("role"), "role": .string("\(role)")]
    case .unfollow: ["user": ReportValue(user), "change": .string("unfollow")]
    }
  }
}

extension OperationChanges {
  /// The links that it opens and closes, or that it joins by. Nobody reads a secret.
  var linkReports: [ReportValue] {
    links.map(\.report) + (join.map { [["link": ReportValue($0.hash), "change": .string("join")]] } ?? [])
  }
}

extension LinkChange {
  fileprivate var report: ReportValue {
    switch action {
    case .open(let role, let uses, let until):
      [
        "link": ReportValue(link), "change": .string("open"), "role": .string("\(role)"),
        "uses": ReportValue(number: Int(uses)), "until": ReportValue(until),
      ]
    case .close: ["link": ReportValue(link), "change": .string("close")]
    }
  }
}

/// The change that a patch makes to one field.
private struct FieldEdit {
  var action: Action
  /// Without a value for `clear`.
  var field: FieldEntry

  enum Action: Int {
    /// The raw values are the tags of the parts of a patch (docs/formats/blob-format.md).
    case set = 1
    case clear, insert, remove, increment, fill, raise, lower
  }

  var report: ReportValue {
    [
      "field": .string(field.name), "tag": .hidden(ReportValue(number: field.tag)), "edit": .string("\(action)"),
      "value": field.value,
    ]
  }

  /// The edits of a patch, sorted by tag. A `Patch` is well-formed, since it is checked when it is made.
  static func all(of patch: Patch, as fields: [StoredField]) -> [Self] {
    var edits: [Self] = []
    patch.bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      while let part = try? reader.next() {
        guard let action = Action(rawValue: part.tag) else { continue }
        let part = Array(bytes[part.value])
        let entries = action == .clear ? cleared(part, fields) : MessageReading(part, as: fields).entries
        edits += entries.map { Self(action: action, field: $0) }
      }
    }
    return edits.enumerated().sorted { ($0.element.field.tag, $0.offset) < ($1.element.field.tag, $1.offset) }
      .map(\.element)
  }

  private static func cleared(_ bytes: [UInt8], _ fields: [StoredField]) -> [FieldEntry] {
    bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      var entries: [FieldEntry] = []
      while reader.offset < bytes.count, let tag = try? Int(reader.varint().value) {
        entries.append(FieldEntry(tag: tag, name: fields.first { $0.tag == tag }?.name, value: .null))
      }
      return entries
    }
  }
}
