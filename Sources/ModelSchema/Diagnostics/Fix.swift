// Edits that mend a finding, as values. `SchemaFixer` applies them.

/// A text to put in the place of a part of a file. An empty part is a place to insert at.
public struct TextEdit: Hashable, Sendable {
  public var range: SourceRange
  public var text: String

  static func insertion(_ text: String, at place: SourcePosition, of file: String) -> TextEdit {
    TextEdit(range: SourceRange(file: file, start: place, end: place), text: text)
  }
}

/// One way to mend a finding, in one file.
public struct Fix: Hashable, Sendable {
  /// At least one. Where several insert at one place, in the order of the texts.
  public var edits: [TextEdit]
  /// What the author has to say first, such as `note.due=dueAt` for a rename. Nil for a fix that is certain.
  public var answer: String?

  init(_ edits: [TextEdit], answer: String? = nil) {
    precondition(!edits.isEmpty, "a fix changes something")
    self.edits = edits
    self.answer = answer
  }

  /// What it writes, for people: `= 7`, or `{ type: … , was: due }` around what is there.
  public var written: String {
    edits.map { $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.joined(separator: " … ")
  }

  var file: String { edits[0].range.file }

  /// The lines that it changes or inserts at.
  var lines: Set<Int> { Set(edits.flatMap { $0.range.start.line...$0.range.end.line }) }
}
