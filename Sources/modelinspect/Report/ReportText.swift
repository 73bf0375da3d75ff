// Prints a report for people: rows `name  value`, tables, and paragraphs. The contents of a store are not trusted: all
// of it passes through `shown` on its way to the terminal.

extension ReportValue {
  /// The text of a whole report: its rows, then its records and tables without their names.
  var text: String {
    let parts = members.filter(\.value.isBlock).flatMap { $0.value.paragraphs }
    return ([rows] + parts).filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private var paragraphs: [[String]] {
    guard case .lines(let values) = self, values.contains(where: \.isBlock) else { return [block] }
    return values.map(\.block)
  }

  /// Whether the value is printed in lines of its own.
  private var isBlock: Bool {
    switch self {
    case .record, .lines: true
    default: false
    }
  }

  private var block: [String] {
    switch self {
    case .record("", let value): value.rows + value.sections
    case .record(let title, let value): [shown(title)] + (value.rows + value.sections).map { "  \($0)" }
    case .lines(let values):
      if case .object? = values.first { Self.table(of: values) } else { values.flatMap(\.block) }
    default: [words]
    }
  }

  /// The members of one line each, with the values in a column.
  private var rows: [String] {
    let members = members.filter { !$0.value.isBlock && !$0.value.words.isEmpty }
    return Self.aligned(members.map { [shown($0.name), $0.value.words] })
  }

  /// The members of several lines, each below its name.
  private var sections: [String] {
    members.filter(\.value.isBlock).flatMap { member in
      let lines = member.value.block
      return lines.isEmpty ? [] : [shown(member.name)] + lines.map { "  \($0)" }
    }
  }

  /// The value in one line; empty if there is nothing to show.
  var words: String {
    switch self {
    case .null: ""
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let text), .worded(let text, _), .record(let text, _): shown(text)
    case .list(let values), .lines(let values): "[" + values.map(\.words).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\(shown($0.name)): \($0.value.words)" }.joined(separator: ", ") + "}"
    }
  }

  /// Objects as rows below a line with the names of their members. Columns without any value are left out.
  private static func table(of objects: [Self]) -> [String] {
    var names: [String] = []
    for member in objects.flatMap(\.members) where !member.value.words.isEmpty && !names.contains(member.name) {
      names.append(member.name)
    }
    let cells = objects.map { object in
      names.map { name in object.members.first { $0.name == name }?.value.words ?? "" }
    }
    return aligned([names.map(shown)] + cells)
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let end = row.lastIndex { !$0.isEmpty } ?? 0
      let padded = zip(row, widths).prefix(end).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }
      return padded.joined() + row[end]
    }
  }
}

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

/// `1 object`, `2 objects`.
func counted(_ count: some BinaryInteger, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

func known(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "?" }
