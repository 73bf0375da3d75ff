// An error of a GraphQL request, with its place in the document.

package import SyncProtocol
package import WireFormat

/// One entry of an answer's `errors`.
package struct GraphQLError: Error, Hashable, Sendable {
  package var code: RequestError.Code
  package var message: String
  /// The place in the document, in bytes.
  package var offset: Int?
  /// The place in the answer, from the outermost field: names of fields, and indices in lists.
  package var path: [JSONValue]
  /// As in a `RequestError`.
  package var since: Timestamp?

  package init(
    _ code: RequestError.Code, _ message: String, at offset: Int? = nil, path: [JSONValue] = [],
    since: Timestamp? = nil
  ) {
    self.code = code
    self.message = message
    self.offset = offset
    self.path = path
    self.since = since
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
    members.append(JSONValue.Member("extensions", RequestError(code, message, since: since).extensions))
    return .object(members)
  }
}

/// Converts offsets in a document to lines and columns. Finds the lines once, for all errors of an answer.
struct GraphQLPlaces {
  private let source: [UInt8]
  /// Offsets of the first bytes of lines, ascending. A line ends with LF, CR, or CR and LF.
  private var starts = [0]

  init(_ source: [UInt8]) {
    self.source = source
    for index in source.indices {
      let endsLine =
        source[index] == 0x0A || source[index] == 0x0D && (index + 1 == source.count || source[index + 1] != 0x0A)
      if endsLine { starts.append(index + 1) }
    }
  }

  /// The line and column of an offset. Both count from 1; a column is a Unicode scalar.
  func place(of offset: Int) -> (line: Int, column: Int) {
    let end = min(offset, source.count)
    let line = starts.lastIndex { $0 <= end } ?? 0
    return (line + 1, String(decoding: source[starts[line]..<end], as: UTF8.self).unicodeScalars.count + 1)
  }
}

/// Limits of a document, checked before anything is executed.
package struct GraphQLLimits: Sendable {
  /// Bytes of the document, which stays in memory while a poll waits. Large values belong in variables.
  package var bytes = 64 << 10
  package var tokens = 1_000
  /// Levels of nested fields, and of lists and objects in values.
  package var depth = 10
  /// Fields of an operation, with all fragments spread.
  package var fields = 200
  package var fieldsAtTheTop = 4
  /// The most mistakes of a document that are reported. One mistake can count for each operation that spreads a
  /// fragment.
  package var errors = 20

  package init() {}
}
