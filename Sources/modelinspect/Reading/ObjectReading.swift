// A row of the table `object`, decoded: a confirmed object.
import ModelSupport

extension StoreTables {
  func object(_ row: StoredRow) -> ReportValue {
    var reading = RowReading(row)
    let id: UUIDValue? = reading.id("id")
    let queue = reading.queue(self)
    let type = reading.type(self)
    let revision = ReportValue(number: reading.integer("revision"))
    let createdBy: UserID? = reading.optional("createdBy") { $0.id("createdBy") }
    let (createdAt, updatedAt) = (reading.time("createdAt"), reading.time("updatedAt"))
    return .record(
      title: "\(type?.name ?? "object") \(known(id))",
      [
        "id": .hidden(ReportValue(id)), "model": .hidden(ReportValue(type?.name)), "queue": queue.report,
        "revision": queue == .device ? .hidden(revision) : revision,
        "newestBy": ReportValue(number: reading.optional("newestBy") { $0.integer("newestBy") }),
        "createdBy": ReportValue(createdBy), "createdAt": ReportValue(createdAt), "updatedAt": ReportValue(updatedAt),
        "bytes": ReportValue(number: (try? row.bytes("content"))?.count ?? 0),
        "fields": .record(title: "", reading.message("content", as: type?.fields ?? []).object),
        "problems": .lines(of: reading.problems),
      ])
  }
}
