// Fields and changes as lines for people. The contents of a store are not trusted: all of it passes through `shown` on
// its way to the terminal.
import ModelSupport

/// The text in one line, with escapes for characters that could move the cursor or change the writing direction.
func shown(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
      result += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

extension FieldValue {
  /// Longer data is cut in text. JSON has all of it.
  private static let shownBytes = 64

  var text: String {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .natural(let value): "\(value)"
    case .fraction(let value): "\(value)"
    case .float(let value): "\(value)"
    case .text(let text): "\"\(shown(text))\""
    case .data(let bytes): Self.text(of: bytes)
    case .word(let word): word
    case .time(let time): "\(time)"
    case .enumeration(let number, let name): name.map { "\(shown($0)) (\(number))" } ?? "\(number)"
    case .message(let entries):
      "{" + entries.map { "\(shown($0.label)): \($0.value.text)" }.joined(separator: ", ") + "}"
    case .list(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .record(let wireType, let bytes): "\(wireType) \(Self.text(of: bytes))"
    case .unreadable(let bytes): "unreadable \(Self.text(of: bytes))"
    }
  }

  private static func text(of bytes: [UInt8]) -> String {
    guard bytes.count > shownBytes else { return bytes.isEmpty ? "(no bytes)" : hexadecimal(bytes) }
    return hexadecimal(bytes.prefix(shownBytes)) + "… (\(bytes.count) bytes)"
  }
}

extension [FieldEntry] {
  /// One line for each field, with the names in a column.
  func lines(indent: String) -> [String] {
    let width = map { shown($0.label).count }.max() ?? 0
    return map { "\(indent)\(padded(shown($0.label), to: width))  \($0.value.text)" }
  }
}

extension ChangeReading {
  func lines(indent: String) -> [String] {
    var head = "\(indent)\(action.rawValue) \(shown(model ?? "object")) \(object)"
    if isReviving { head += ", even if it was deleted" }
    if let seen { head += ", even if it was deleted up to \(seen.cursor)" }
    switch condition {
    case .content(let hash)?: head += ", only if its content is \(hash)"
    case .absent?: head += ", only if it is absent"
    case nil: break
    }
    let words = edits.map { "\($0.action) \(shown($0.label))" }
    let width = words.map(\.count).max() ?? 0
    let lines = zip(words, edits).map { word, edit in
      edit.value.map { "\(indent)  \(padded(word, to: width))  \($0.text)" } ?? "\(indent)  \(word)"
    }
    let named = files.map { field in
      let hashes = field.hashes.map { "\($0)" }.joined(separator: ", ")
      return "\(indent)  \(shown(field.label)) names \(hashes.isEmpty ? "no file" : "\(hashes)")"
    }
    return [head] + lines + named
  }
}

extension QueueName {
  var text: String {
    switch self {
    case .none: "no queue"
    case .device: "never leaves the device"
    case .queue(let id): "queue \(id)"
    case .missing: "queue unknown"
    }
  }
}

func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// `1 object`, `2 objects`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
