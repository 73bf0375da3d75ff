// A row of the table `object`, decoded: a confirmed object.
import ModelSupport

struct ObjectReading {
  var row: Int64?
  var id: UUIDValue?
  var queue: QueueName
  var model: String?
  var revision: Int64?
  var newestBy: Int64?
  var createdBy: UserID?
  var byteCount: Int
  var fields: [FieldEntry]
  var problems: [String]

  init(_ row: StoredRow, _ tables: StoreTables) {
    var reading = RowReading(row)
    self.row = reading.integer("row")
    id = reading.id("id")
    queue = reading.queue(tables)
    let type = reading.type(tables)
    model = type?.name
    revision = reading.integer("revision")
    newestBy = reading.optional("newestBy") { $0.integer("newestBy") }
    createdBy = reading.optional("createdBy") { $0.id("createdBy") }
    byteCount = (try? row.bytes("content"))?.count ?? 0
    fields = reading.message("content", as: type?.fields ?? [])
    problems = reading.problems
  }
}
