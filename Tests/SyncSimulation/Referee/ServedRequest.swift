// One thing that the server is asked to do, and what the model says while it is being done.

/// Everything that the server does for it runs in tasks that know it. `@unchecked Sendable`: one thread.
final class ServedRequest: @unchecked Sendable {
  let call: Call
  let user: PlainID
  /// The server's history that it names.
  private(set) var history: PlainID?
  /// The code of the error that it must be answered with; nil where it is served.
  private(set) var refusal: String?
  /// What the server's clock has said to its tasks.
  var times: [Int64] = []
  /// Queues whose transaction has been decided: what is written into them later is done for home queues.
  var decided: Set<PlainID> = []
  /// The storage has failed while it was served, so that an error is an honest answer.
  var hasFailed = false
  /// Which queue the read that is under way looks at.
  var queueRead: PlainID?
  /// What the answer must be, as far as it has come. Of commits, by queue.
  var decisions: [PlainID: PlainJSON] = [:]
  /// Of a delta: of each of its queues.
  var pages: [Page] = []
  /// Of a poll: what the last look must have found; nil before the first.
  var news: PlainNews?
  /// Of a poll: there is something to fetch, so that it must be answered soon.
  var isDue = false
  /// Nobody waits for the answer any more, and the server has been told.
  var isGone: () -> Bool = { false }
  /// Requests for files that end with a membership that it has ended.
  var ended: [ServedFile] = []
  /// It has been answered.
  var isOver = false

  struct Page {
    var result: PlainPageResult?
    /// What is left behind it.
    var room: PlainRoom
  }

  enum Call {
    case request(PlainRequest)
    case forgetTombstones(PlainID, upTo: Int64)
    case forgetOutcomes(PlainID, before: Int64)
    case upkeep(PlainRules)
    case file(ServedFile)
    /// Nothing that the model knows.
    case other
  }

  /// That of the task that runs.
  @TaskLocal static var current: ServedRequest?

  init(_ call: Call, of user: PlainID = .zero) {
    (self.call, self.user) = (call, user)
  }

  convenience init(body: [UInt8], of user: PlainID, by model: PlainServer) {
    let envelope = PlainEnvelope(body: body)
    self.init(envelope.request.map { .request($0) } ?? .other, of: user)
    history = envelope.history
    refusal = model.refusal(of: envelope, by: user)
  }
}
