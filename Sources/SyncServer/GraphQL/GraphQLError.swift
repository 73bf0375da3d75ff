// Why a GraphQL request was not served, and where in its document.

package import SyncProtocol

/// One entry of `errors` of an answer.
package struct GraphQLError: Error, Hashable, Sendable {
  package var code: RequestError.Code
  package var message: String
  /// In the document, in bytes.
  package var offset: Int?
  /// Of the answer, from the outermost field: names, and positions in lists.
  package var path: [JSONValue]

  package init(_ code: RequestError.Code, _ message: String, at offset: Int? = nil, path: [JSONValue] = []) {
    self.code = code
    self.message = message
    self.offset = offset
    self.path = path
  }

  static func syntax(_ message: String, at offset: Int) -> Self { Self(.parseFailed, message, at: offset) }
  static func invalid(_ message: String, at offset: Int) -> Self { Self(.validationFailed, message, at: offset) }

  func json(_ places: GraphQLPlaces) -> JSONValue {
    var members = [JSONValue.Member("message", .string(message))]
    if let offset {
      let (line, column) = places.place(of: offset)
      members.append(JSONValue.Member("locations", [["line": .count(line), "column": .count(column)]]))
    }
    if !path.isEmpty { members.append(JSONValue.Member("path", .array(path))) }
    members.append(JSONValue.Member("extensions", ["code": .string(code.rawValue)]))
    return .object(members)
  }
}

/// Offsets in a document as people count: its lines are found once, for all errors of an answer.
struct GraphQLPlaces {
  private let source: [UInt8]
  /// Where lines start, ascending. Lines end with LF, CR or both.
  private var starts = [0]

  init(_ source: [UInt8]) {
    self.source = source
    for index in source.indices {
      let endsLine =
        source[index] == 0x0A || source[index] == 0x0D && (index + 1 == source.count || source[index + 1] != 0x0A)
      if endsLine { starts.append(index + 1) }
    }
  }

  /// Both from 1; a column is a character of Unicode.
  func place(of offset: Int) -> (line: Int, column: Int) {
    let end = min(offset, source.count)
    let line = starts.lastIndex { $0 <= end } ?? 0
    return (line + 1, String(decoding: source[starts[line]..<end], as: UTF8.self).unicodeScalars.count + 1)
  }
}

/// The most that a document may cost; checked before anything is executed.
package struct GraphQLLimits: Sendable {
  /// Of the document: it is kept as long as a poll waits. What is large belongs into variables.
  package var bytes = 64 << 10
  package var tokens = 1_000
  /// Levels of fields, and of lists and objects in values.
  package var depth = 10
  /// With every fragment spread.
  package var fields = 200
  package var fieldsAtTheTop = 4
  /// How many mistakes of a document are told: the same one can count for each operation that spreads a fragment.
  package var errors = 20

  package init() {}
}
