// A line of `modelgen doctor`: what was looked at, how it stands, and what to do about it.
import ModelSchema

struct CheckupLine: Hashable {
  enum Standing: String {
    case ok, note
    /// Ends the command with the status of mistakes.
    case problem
  }

  var standing: Standing
  /// A word for what was looked at, such as `output`.
  var subject: String
  var text: String
  /// What to do, as a sentence without its point; nil where the text says it.
  var remedy: String?

  static func ok(_ subject: String, _ text: String) -> CheckupLine {
    CheckupLine(standing: .ok, subject: subject, text: text)
  }

  static func note(_ subject: String, _ text: String, _ remedy: String? = nil) -> CheckupLine {
    CheckupLine(standing: .note, subject: subject, text: text, remedy: remedy)
  }

  static func problem(_ subject: String, _ text: String, _ remedy: String?) -> CheckupLine {
    CheckupLine(standing: .problem, subject: subject, text: text, remedy: remedy)
  }

  /// The problem of a file, in the words in which other commands report it.
  init(_ problem: FileProblem, _ subject: String) {
    self = .problem(subject, "\(problem.path): \(problem.reason)", problem.remedy.capitalised)
  }

  private init(standing: Standing, subject: String, text: String, remedy: String? = nil) {
    self.standing = standing
    self.subject = subject
    self.text = text
    self.remedy = remedy
  }
}

extension CheckupLine {
  /// `problem  output: Generated has …. Run ….`
  var shown: String {
    let word = standing.rawValue.padded(to: "problem".count)
    let sentence = text + (remedy.map { ". \($0)." } ?? "")
    return "\(word)  \(subject): \(ShownText.escaped(sentence))\n"
  }

  /// One array with an object for each line.
  static func json(_ lines: [CheckupLine]) -> String {
    let objects = lines.map { line in
      let members = [
        ("standing", line.standing.rawValue), ("subject", line.subject), ("text", line.text), ("remedy", line.remedy),
      ]
      let texts = members.compactMap { key, value in value.map { "\"\(key)\": \(JSONText.quoted($0))" } }
      return "  {" + texts.joined(separator: ", ") + "}"
    }
    return "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }
}

extension String {
  fileprivate func padded(to length: Int) -> String { self + String(repeating: " ", count: max(length - count, 0)) }
}
