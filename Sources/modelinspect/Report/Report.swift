// The report of a command: JSON for programs, or text for people, and damage for both.

struct Report {
  /// An object. Its lists of records have what is wrong with a row in the member `problems`.
  var content: ReportValue
  /// Lines below the text, for people only.
  var remark = ""
  /// Damage of the store or of a whole table.
  var problems: [String]

  var json: String { (content + ["damage": .list(problems.map { .string($0) })]).json() }

  var text: String { [content.text, remark].filter { !$0.isEmpty }.joined(separator: "\n\n") }

  var damagedRows: Int {
    content.members.flatMap(\.value.elements).count { record in
      record.members.contains { $0.name == "problems" && !$0.value.elements.isEmpty }
    }
  }
}

extension ReportValue {
  fileprivate var elements: [Self] { if case .lines(let values) = self { values } else { [] } }
}
