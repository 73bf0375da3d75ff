// Explains why an operation is still in the outbox, and then the operations that it waits for.
import ModelSupport

extension StoreContents {
  /// The number of operations that are explained at most.
  private static let longestChain = 10

  /// Explains the operation that the name means, then the one that it waits for, and so on. Nil where the name means no
  /// operation or several.
  func why(_ search: OperationSearch) -> [WhyReading]? {
    guard let meant = search.meant else { return nil }
    let context = readingContext()
    var rows: [StoredRow] = []
    // The search has reported damage of this table.
    try? store.forEachRow(of: .operation) { row in
      rows.append(row)
      return true
    }
    let outbox = OutboxInspection(rows, queue: { tables.queues[$0]?.id }, name: { tables.types[$0]?.name })
    let why = WhyContext(tables: tables, outbox: outbox, homeQueue: homeQueue) { [rows] number in
      rows.first { (try? $0.integer("number")) == number }.map { OperationReading(outbox: $0, context) }
    }
    var chain = [WhyReading(reading(of: meant, context), why)]
    var explained = Set([meant.number])
    while chain.count < Self.longestChain, let next = chain.last?.blocker, explained.insert(next).inserted,
      let operation = why.operation(next)
    {
      chain.append(WhyReading(operation, why))
    }
    return chain
  }

  func search(_ name: String) -> OperationSearch {
    var search = OperationSearch(OperationName(name))
    for table in [StoreInspection.Table.operation, .failed, .retired] {
      do {
        try store.forEachRow(of: table) { row in
          search.look(at: row, of: table)
          return true
        }
      } catch {
        search.problems.append("the table `\(table.rawValue)`: \(error)")
      }
    }
    return search
  }

  /// A line for each operation that may have been meant.
  func names(of candidates: [OperationSearch.Found]) -> [String] {
    candidates.map { found in
      let name = (try? found.row.integer("type")).flatMap { tables.types[$0]?.name } ?? "operation"
      let place =
        switch found.table {
        case .failed: "among the failed operations"
        case .retired: "\(known(found.number)) among the retired operations"
        default: "\(known(found.number)) in the outbox"
        }
      return "\(found.id)  \(shown(name)), \(place)"
    }
  }

  private func reading(of found: OperationSearch.Found, _ context: ReadingContext) -> OperationReading {
    switch found.table {
    case .failed: OperationReading(failed: found.row, context)
    case .retired: OperationReading(retired: found.row, context)
    default: OperationReading(outbox: found.row, context)
    }
  }
}
