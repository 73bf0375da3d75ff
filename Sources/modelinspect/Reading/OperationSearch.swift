// Finds the operation that a person means with a number, or with the beginning of an id.
import ModelSupport

struct OperationSearch {
  struct Found {
    var table: StoreInspection.Table
    var row: StoredRow
    var id: OperationID
    var number: Int64?
  }

  /// The text that the person gave.
  let text: String
  private(set) var found: [Found] = []
  /// Damage of the tables. The operation may have been lost with a damaged row.
  private(set) var problems: [String] = []
  /// Other operations that may have been meant, each with its likeness to the text.
  private var near: [(likeness: Int, found: Found)] = []
  /// The text as lower-case hexadecimal digits without `-`, for comparing ids; empty if it contains anything else.
  private let digits: String

  init(_ text: String, _ store: StoreInspection) {
    self.text = text
    let digits = text.lowercased().filter { $0 != "-" }
    self.digits = digits.count <= 32 && digits.allSatisfy(\.isHexDigit) ? digits : ""
    for table in [StoreInspection.Table.operation, .failed, .retired] {
      let rows = store.rows(of: table)
      for row in rows.rows { look(at: row, of: table) }
      problems += rows.problems
    }
  }

  private mutating func look(at row: StoredRow, of table: StoreInspection.Table) {
    guard let bytes = try? row.bytes(table == .failed ? "operation" : "id"), let id = OperationID(bytes: bytes) else {
      return
    }
    let candidate = Found(table: table, row: row, id: id, number: try? row.integer("number"))
    let likeness = zip(digits, hexadecimal(bytes)).prefix { $0 == $1 }.count
    // Failed operations are numbered on their own, so there the number means another operation.
    let hasNumber = candidate.number != nil && candidate.number == Int64(text)
    if hasNumber && table != .failed || !digits.isEmpty && likeness == digits.count {
      found.append(candidate)
    } else if let likeness = touches(row) ? 33 : hasNumber ? 32 : likeness > 1 ? likeness : nil {
      near.append((likeness, candidate))
    }
  }

  /// Whether the operation changes the object with this id: the person may have taken that for an operation's id.
  private func touches(_ row: StoredRow) -> Bool {
    guard let object = UUIDValue(text) else { return false }
    let changes = (try? row.bytes("changes")).flatMap { try? OperationChanges(bytes: $0) }
    return changes?.objects.contains { $0.object == object } ?? false
  }

  /// The operation that the text means. A number goes before the beginning of an id. Nil where none or several remain.
  var meant: Found? {
    let numbered = found.filter { $0.number == Int64(text) && $0.table != .failed }
    let meant = numbered.isEmpty ? found : numbered
    return Set(meant.map(\.id)).count == 1 ? meant.first : nil
  }

  /// The most likely operations, at most 5, for a person to choose from.
  var candidates: [Found] {
    Array((found.isEmpty ? near.sorted { $0.likeness > $1.likeness }.map(\.found) : found).prefix(5))
  }
}
