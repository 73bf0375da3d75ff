// Reads the rows of an opened store for the commands, and decodes them. A damaged table gives the rows that can be
// read.
import ModelSupport

struct StoreContents {
  let store: StoreInspection
  let tables: StoreTables

  init(_ store: StoreInspection) {
    self.store = store
    tables = StoreTables(store)
  }

  /// Objects in the order in which they came to the device. At most `limit` are read, or `limit` for each id.
  func objects(model: String?, ids: [UUIDValue], limit: Int) -> Report {
    let type = model.map { StoredValue.integer(tables.number(ofType: $0) ?? -1) }
    let column = type == nil ? nil : "type"
    var found = Rows()
    if ids.isEmpty { found = store.rows(of: .object, where: column, is: type ?? .null, limit: limit) }
    for id in ids {
      let named = store.rows(of: .object, where: "id", is: .bytes(id.bytes), limit: limit)
      found.rows += named.rows.filter { type == nil || $0.columns["type"] == type }
      found.problems += named.problems
    }
    let count = Int64(found.rows.count)
    let total = ids.isEmpty ? (try? store.count(.object, where: column, is: type ?? .null)) ?? count : count
    let none = "No objects. 'modelinspect outbox' shows changes that the server has not confirmed yet."
    var report = report("objects", of: found, none: none) { $0.map(tables.object) }
    report.content = report.content + ["total": .hidden(ReportValue(number: total))]
    if total > count {
      report.remark = "\(count) of \(counted(total, "object"))\(count >= limit ? "; --limit shows more" : "")."
    }
    return report
  }

  /// The operations in a table.
  func operations(in table: StoreInspection.Table, none: String) -> Report {
    let context = readingContext()
    return report("operations", of: store.rows(of: table), none: none) { rows in
      rows.map { OperationReading($0, of: table, context) }.map { .record(title: $0.title, $0.members) }
    }
  }

  func files() -> Report {
    report("files", of: store.rows(of: .file), none: "No file is known.") { rows in
      rows.map { FileReading($0, tables) }.sorted { $0.place < $1.place }.map(\.report)
    }
  }

  /// A report that lists rows; `none` is its remark where there are none.
  private func report(
    _ name: String, of found: Rows, none: String, _ read: ([StoredRow]) -> [ReportValue]
  ) -> Report {
    Report(
      content: [name: .lines(read(found.rows))], remark: found.rows.isEmpty ? none : "",
      problems: tables.problems + found.problems)
  }

  func readingContext() -> ReadingContext {
    let created = createdModels()
    return ReadingContext(tables: tables) { id in created[id] ?? confirmedModel(of: id) }
  }

  /// The models of objects that operations create. Such objects may have no confirmed row.
  private func createdModels() -> [UUIDValue: String] {
    var models: [UUIDValue: String] = [:]
    for row in store.rows(of: .operation).rows + store.rows(of: .failed).rows {
      guard let changes = try? OperationChanges(bytes: row.bytes("changes")) else { continue }
      for change in changes.objects {
        if case .create(let type, _, _) = change.action { models[change.object] = type }
      }
    }
    return models
  }

  private func confirmedModel(of id: UUIDValue) -> String? {
    store.rows(of: .object, where: "id", is: .bytes(id.bytes)).rows.lazy
      .compactMap { (try? $0.integer("type")).flatMap { tables.types[$0]?.name } }.first
  }
}
