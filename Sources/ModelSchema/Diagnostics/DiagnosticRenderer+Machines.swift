// Diagnostics for programs: a JSON array, and GitHub's workflow commands.

extension DiagnosticRenderer {
  /// One JSON array with an object for each diagnostic. Keys have a fixed order, and all but printable ASCII is
  /// escaped. A diagnostic about a whole file has no `line` and no `column`.
  public func json(_ diagnostics: [Diagnostic]) -> String {
    guard !diagnostics.isEmpty else { return "[]\n" }
    return "[\n" + diagnostics.map { "  " + Self.object($0) }.joined(separator: ",\n") + "\n]\n"
  }

  /// One line for each diagnostic: `::error file=…,line=…,col=…,endColumn=…,title=…::message`.
  public func github(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { diagnostic in
      let properties = Self.place(properties: diagnostic.location) + ["title=\(Self.property(diagnostic.rule))"]
      let suggestion = diagnostic.replacement.map { " Did you mean: \($0)" } ?? ""
      return "::\(diagnostic.severity.rawValue) \(properties.joined(separator: ","))::"
        + Self.data(diagnostic.message + suggestion + (diagnostic.help.map { " " + $0 } ?? "")) + "\n"
    }.joined()
  }

  private static func place(properties range: SourceRange) -> [String] {
    let file = ["file=\(property(range.file))"]
    if range.isWhole { return file }
    let lines = ["line=\(range.start.line)", "endLine=\(range.end.line)", "col=\(range.start.column)"]
    let isOneLine = range.start.line == range.end.line
    return file + lines + (isOneLine ? ["endColumn=\(range.end.column)"] : [])
  }

  private static func object(_ diagnostic: Diagnostic) -> String {
    var members = [
      "\"severity\": \(JSONText.quoted(diagnostic.severity.rawValue))", "\"rule\": \(JSONText.quoted(diagnostic.rule))",
      "\"message\": \(JSONText.quoted(diagnostic.message))", place(members: diagnostic.location),
    ]
    if let replacement = diagnostic.replacement { members.append("\"replacement\": \(JSONText.quoted(replacement))") }
    if let help = diagnostic.help { members.append("\"help\": \(JSONText.quoted(help))") }
    let notes = diagnostic.related.map {
      "{\"message\": \(JSONText.quoted($0.message)), \(place(members: $0.location))}"
    }
    if !notes.isEmpty { members.append("\"related\": [\(notes.joined(separator: ", "))]") }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func place(members range: SourceRange) -> String {
    let file = "\"file\": \(JSONText.quoted(range.file))"
    if range.isWhole { return file }
    return file + ", \"line\": \(range.start.line), \"column\": \(range.start.column), "
      + "\"endLine\": \(range.end.line), \"endColumn\": \(range.end.column)"
  }

  /// Escapes a message: a workflow command ends at a newline, and `%` begins an escape.
  private static func data(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result += ShownText.escaped(String(scalar))
      }
    }
    return result
  }

  private static func property(_ text: String) -> String {
    var result = ""
    for scalar in data(text).unicodeScalars {
      switch scalar {
      case ":": result += "%3A"
      case ",": result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
