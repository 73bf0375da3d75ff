// Fields and changes as JSON: names where the store knows them, ids and times as text, data in hexadecimal.
import ModelSupport

extension FieldValue {
  var json: OrderedJSON {
    switch self {
    case .bool(let value): .bool(value)
    case .integer(let value): OrderedJSON(number: value)
    case .natural(let value): OrderedJSON(number: value)
    case .fraction(let value): Self.json(value, isFinite: value.isFinite)
    case .float(let value): Self.json(value, isFinite: value.isFinite)
    case .text(let text): .string(text)
    case .data(let bytes): .string(hexadecimal(bytes))
    case .word(let word): .string(word)
    case .time(let time): .string("\(time)")
    case .enumeration(let number, let name): name.map { .string($0) } ?? OrderedJSON(number: number)
    case .message(let entries): entries.json
    case .list(let values): .array(values.map(\.json))
    case .record(let wireType, let bytes): ["wireType": .string("\(wireType)"), "hex": .string(hexadecimal(bytes))]
    case .unreadable(let bytes): ["unreadable": .string(hexadecimal(bytes))]
    }
  }

  /// JSON has no numbers for infinity and NaN, so these become strings.
  private static func json(_ value: some CustomStringConvertible, isFinite: Bool) -> OrderedJSON {
    isFinite ? .number("\(value)") : .string("\(value)")
  }
}

extension [FieldEntry] {
  /// A field without a name is called `#` and its tag. No name in a schema begins with `#`.
  var json: OrderedJSON {
    .object(map { OrderedJSON.Member(name: $0.label, value: $0.value.json) })
  }
}

extension FieldEntry {
  var label: String { name ?? "#\(tag)" }
}

extension FieldEdit {
  var label: String { name ?? "#\(tag)" }

  var json: OrderedJSON {
    [
      "field": .string(label), "tag": OrderedJSON(number: tag), "edit": .string("\(action)"),
      "value": value?.json ?? .null,
    ]
  }
}

extension ChangeReading {
  var json: OrderedJSON {
    var condition = OrderedJSON.null
    switch self.condition {
    case .content(let hash)?: condition = ["content": .string("\(hash)")]
    case .absent?: condition = ["absent": .bool(true)]
    case nil: break
    }
    return [
      "object": OrderedJSON(object), "model": OrderedJSON(model), "action": .string(action.rawValue),
      "reviving": .bool(isReviving),
      "seen": seen.map { ["history": OrderedJSON($0.history), "cursor": OrderedJSON(number: $0.cursor)] } ?? .null,
      "newestBy": OrderedJSON(number: newestBy), "condition": condition,
      "edits": .array(edits.map(\.json)), "files": .array(files.map(\.json)),
    ]
  }
}

extension NamedFiles {
  var label: String { name ?? "#\(tag)" }

  var json: OrderedJSON {
    [
      "field": .string(label), "tag": OrderedJSON(number: tag), "hashes": .array(hashes.map { OrderedJSON($0) }),
    ]
  }
}

extension QueueName {
  var json: OrderedJSON {
    switch self {
    case .device: .string("device")
    case .queue(let id): OrderedJSON(id)
    case .none, .missing: .null
    }
  }
}
