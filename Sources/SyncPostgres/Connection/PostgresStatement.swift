// A statement of SQL, and a call of it.

/// A statement with the names by which `docs/scaling.md` speaks of it. Each connection prepares it once.
struct PostgresStatement: Hashable, Sendable {
  /// Where the rows are that a statement touches, if queues are spread over several machines.
  enum Reach: Hashable, Sendable {
    /// Rows of one queue, the first parameter.
    case queue
    /// Rows of one account, the first parameter.
    case account
    /// The beginning and end of transactions, and what concerns the connection.
    case nothing
    /// Rows that every machine has, or that only one has.
    case everywhere
    /// Rows of all queues, for the reason that is given.
    case allQueues(because: String)
  }

  let sql: String
  let reach: Reach

  init(_ reach: Reach, _ sql: String) { (self.reach, self.sql) = (reach, sql) }

  func callAsFunction(_ values: PostgresValue...) -> PostgresCall { PostgresCall(statement: self, values: values) }
}

/// A statement with its parameters.
struct PostgresCall: Sendable {
  var statement: PostgresStatement
  var values: [PostgresValue]
}
