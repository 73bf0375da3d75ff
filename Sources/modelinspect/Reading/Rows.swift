// The rows of a table, as far as they can be read.
import ModelSupport

struct Rows {
  var rows: [StoredRow] = []
  /// Damage of the table itself.
  var problems: [String] = []
}

extension StoreInspection {
  /// `column` and `value` select rows.
  func rows(
    of table: Table, where column: String? = nil, is value: StoredValue = .null, limit: Int = .max
  ) -> Rows {
    var found = Rows()
    do {
      try forEachRow(of: table, where: column, is: value) { row in
        found.rows.append(row)
        return found.rows.count < limit
      }
    } catch {
      found.problems.append("the table `\(table.rawValue)`: \(error)")
    }
    return found
  }
}
