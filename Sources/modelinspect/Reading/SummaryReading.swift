// The summary of a store: its user, its size, and the numbers of its rows.
import ModelSupport

extension StoreContents {
  func summary(files: [(name: String, bytes: Int64)]) -> Report {
    var problems = tables.problems
    func read<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
      do { return try body() } catch {
        problems.append("\(what): \(error)")
        return nil
      }
    }
    func count(_ table: StoreInspection.Table) -> ReportValue {
      ReportValue(number: read("the table `\(table.rawValue)`") { try store.count(table) })
    }
    let version = ReportValue(number: read("the version") { try store.version })
    let properties = properties(&problems)
    let counts: ReportValue = ["outbox": count(.operation), "failed": count(.failed), "retired": count(.retired)]
    let staged = count(.staged)
    let queues = queues(read("the table `object`") { try store.objectCounts() } ?? readableCounts(), &problems)
    let files = files.map { ["name": .string($0.name), "bytes": ReportValue(number: $0.bytes)] as ReportValue }
    return Report(
      content: properties + ["version": version, "files": .lines(files), "queues": .lines(queues)] + counts
        + ["staged": staged == .number("0") ? .hidden(staged) : staged],
      problems: problems)
  }

  /// `schema`, `user` and `library`, then the others: ids of the server, of its history and of the client that syncs.
  private func properties(_ problems: inout [String]) -> ReportValue {
    problems += tables.properties.problems
    let first = ["schema", "user", "library"]
    let rows = tables.properties.rows.map { (name: try? $0.text("name"), value: $0.columns["value"]) }
    if rows.contains(where: { $0.name == nil || value($0.value) == .null }) {
      problems.append("a property is neither a text nor a number nor bytes.")
    }
    let others = rows.compactMap(\.name).filter { !first.contains($0) }
    return .object((first + others).map { ReportValue.Member(name: $0, value: value(tables.property($0))) })
  }

  private func value(_ value: StoredValue?) -> ReportValue {
    switch value {
    case .text(let text)?: .string(text)
    case .integer(let number)?: ReportValue(number)
    case .bytes(let bytes)?: .string(UUIDValue(bytes: bytes)?.description ?? hexadecimal(bytes))
    default: .null
    }
  }

  /// A row like those of `objectCounts` for each object that can still be read.
  private func readableCounts() -> [StoredRow] {
    var counts: [StoredRow] = []
    try? store.forEachRow(of: .object) { row in
      let bytes = StoredValue.integer(Int64((try? row.bytes("content"))?.count ?? 0))
      counts.append(StoredRow(row.columns.merging(["count": .integer(1), "bytes": bytes, "content": .null]) { $1 }))
      return true
    }
    return counts
  }

  private func queues(_ counts: [StoredRow], _ problems: inout [String]) -> [ReportValue] {
    var counts = Dictionary(grouping: counts) { (try? $0.integer("queue")) ?? -1 }
    var queues: [ReportValue] = []
    for (number, queue) in tables.queues.sorted(by: { $0.key < $1.key }) {
      let rows = counts.removeValue(forKey: number) ?? []
      guard number != 0 || !rows.isEmpty else { continue }
      let isHome = queue.id != nil && queue.id == tables.homeQueue
      queues.append(queue.report(isHome: isHome, models(in: rows, &problems)))
    }
    for (number, rows) in counts.sorted(by: { $0.key < $1.key }) {
      problems.append("\(sum("count", rows)) of the objects name queue \(number), which is not there.")
    }
    return queues
  }

  private func models(in rows: [StoredRow], _ problems: inout [String]) -> [ReportValue] {
    Dictionary(grouping: rows) { (try? $0.integer("type")) ?? -1 }.sorted { $0.key < $1.key }.map { type, rows in
      let (name, count) = (tables.types[type]?.name, sum("count", rows))
      if name == nil { problems.append("\(count) of the objects name a type that is not there.") }
      return [
        "model": name.map { .string($0) } ?? .worded("?", .null), "objects": ReportValue(number: count),
        "bytes": ReportValue(number: sum("bytes", rows)),
      ]
    }
  }

  private func sum(_ column: String, _ rows: [StoredRow]) -> Int64 {
    rows.reduce(0) { $0 + ((try? $1.integer(column)) ?? 0) }
  }
}

extension StoreTables.Queue {
  fileprivate func report(isHome: Bool, _ models: [ReportValue]) -> ReportValue {
    let title = id.map { "\(isHome ? "home queue" : "queue") \($0)" } ?? "never leaves the device"
    // The home queue says what the user follows. Its failures are those of the server.
    return .record(
      title: title,
      [
        "queue": .hidden(id.map { ReportValue($0) } ?? .string("device")),
        "cursor": ReportValue(number: id == nil ? nil : place.cursor), "history": ReportValue(place.history),
        "home": .hidden(.bool(isHome)), "load": id == nil ? .null : .string("\(place.load)"),
        "position": ReportValue(number: place.position),
        "invited": .worded(isInvited ? "not shown: the user has not accepted it" : "", .bool(isInvited)),
        "failure": failure?.report(of: isHome ? "to the server" : "of it") ?? .null, "models": .lines(models),
      ])
  }
}
