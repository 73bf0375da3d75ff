// One thing that the server is asked to do, and what the model says while it is being done.

/// All tasks of the server that work for it know it as `current`. `@unchecked Sendable`: one thread.
final class ServedRequest: @unchecked Sendable {
  let call: Call
  let asker: PlainAsker
  var user: PlainID { asker.user }
  /// The error that it must be answered with; nil where it is served.
  private(set) var refusal: PlainError?
  /// The times that the server's clock has shown to its tasks.
  var times: [Int64] = []
  /// Queues whose transaction has been decided. Later writes to them are for home queues.
  var decided: Set<PlainID> = []
  /// The storage has failed while it was served, so that an error is an honest answer.
  var hasFailed = false
  /// The queue at which the read under way looks.
  var queueRead: PlainID?
  /// By queue: the expected answer to its commit, once that is decided.
  var decisions: [PlainID: PlainJSON] = [:]
  /// The expected pages of a delta, one for each queue that has been read.
  var pages: [Page] = []
  /// The expected answer to a poll after its last read; nil before the first.
  var news: PlainNews?
  /// The watched queues that were open to the asker of a poll at its last read, or how many signals were to be taken.
  var openQueues: Set<PlainID> = []
  var taken = 0
  /// A poll has something to tell, so it must be answered soon.
  var isDue = false
  /// Nobody waits for the answer any more, and the server has been told.
  var isGone: () -> Bool = { false }
  /// Requests about files that end with the memberships which this request has ended.
  var ended: [ServedFile] = []
  /// It has been answered.
  var isOver = false

  struct Page {
    var result: PlainPageResult?
    /// The room that is left behind the page.
    var room: PlainRoom
  }

  enum Call {
    case request(PlainRequest)
    case forgetTombstones(PlainID, upTo: Int64)
    case forgetOutcomes(PlainID, before: Int64)
    case upkeep(PlainRules)
    case file(ServedFile)
    /// A call that the model does not know.
    case other
  }

  /// The request for which the running task works.
  @TaskLocal static var current: ServedRequest?

  init(_ call: Call, of asker: PlainAsker = .nobody) {
    (self.call, self.asker) = (call, asker)
  }

  convenience init(body: [UInt8], of user: PlainID, by model: PlainServer) {
    let envelope = PlainEnvelope(body: body)
    self.init(
      envelope.request.map { .request($0) } ?? .other, of: PlainAsker(user: user, schema: envelope.schema))
    refusal = model.refusal(of: envelope, by: user)
  }
}
