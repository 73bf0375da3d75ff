// Fields and changes as JSON: names where the store knows them, ids and times as text, data in hexadecimal.
import ModelSupport

extension FieldValue {
  var json: JSONValue {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): JSONValue(number: value)
    case .natural(let value): JSONValue(number: value)
    case .fraction(let value): Self.json(value, isFinite: value.isFinite)
    case .float(let value): Self.json(value, isFinite: value.isFinite)
    case .text(let text): .string(text)
    case .data(let bytes): .string(hexadecimal(bytes))
    case .word(let word): .string(word)
    case .time(let time): .string("\(time)")
    case .enumeration(let number, let name): name.map { .string($0) } ?? JSONValue(number: number)
    case .message(let entries): entries.json
    case .list(let values): .array(values.map(\.json))
    case .record(let wireType, let bytes): ["wireType": .string("\(wireType)"), "hex": .string(hexadecimal(bytes))]
    case .unreadable(let bytes): ["unreadable": .string(hexadecimal(bytes))]
    }
  }

  /// JSON has no numbers for infinity and NaN, so these become strings.
  private static func json(_ value: some CustomStringConvertible, isFinite: Bool) -> JSONValue {
    isFinite ? .number("\(value)") : .string("\(value)")
  }
}

extension [FieldEntry] {
  /// A field without a name is called `#` and its tag. No name in a schema begins with `#`.
  var json: JSONValue {
    .object(map { JSONValue.Member(name: $0.label, value: $0.value.json) })
  }
}

extension FieldEntry {
  var label: String { name ?? "#\(tag)" }
}

extension FieldEdit {
  var label: String { name ?? "#\(tag)" }

  var json: JSONValue {
    [
      "field": .string(label), "tag": JSONValue(number: tag), "edit": .string("\(action)"),
      "value": value?.json ?? .null,
    ]
  }
}

extension ChangeReading {
  var json: JSONValue {
    var condition = JSONValue.null
    switch self.condition {
    case .content(let hash)?: condition = ["content": .string("\(hash)")]
    case .absent?: condition = ["absent": .bool(true)]
    case nil: break
    }
    return [
      "object": JSONValue(object), "model": JSONValue(model), "action": .string(action.rawValue),
      "reviving": .bool(isReviving),
      "seen": seen.map { ["epoch": JSONValue($0.epoch), "cursor": JSONValue(number: $0.cursor)] } ?? .null,
      "newestBy": JSONValue(number: newestBy), "condition": condition,
      "edits": .array(edits.map(\.json)), "files": .array(files.map(\.json)),
    ]
  }
}

extension NamedFiles {
  var label: String { name ?? "#\(tag)" }

  var json: JSONValue {
    [
      "field": .string(label), "tag": JSONValue(number: tag), "hashes": .array(hashes.map { JSONValue($0) }),
    ]
  }
}

extension QueueName {
  var json: JSONValue {
    switch self {
    case .device: .string("device")
    case .queue(let id): JSONValue(id)
    case .none, .missing: .null
    }
  }
}
