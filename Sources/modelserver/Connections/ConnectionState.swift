// The state of a connection, and how long it may last. Pure: events in, actions out.

/// The timeouts of a connection, in nanoseconds. Moments are nanoseconds of a clock that never goes back.
struct ConnectionTimes: Sendable {
  var head: Int64
  /// In each such time a body has to bring `bytesOfBody`, or its end; of an answer something has to go out.
  var body: Int64
  var bytesOfBody: Int64
  var idle: Int64
  /// How long a client may go on sending if it was answered before its whole body had arrived.
  var linger: Int64 = 5_000_000_000
}

struct ConnectionState {
  private let times: ConnectionTimes
  /// Requests can be pipelined, so events are counted: heads and ends of requests, and answers that have begun, were
  /// written and have gone out.
  private var heads = 0
  private var ends = 0
  private var begun = 0
  private var written = 0
  private var sent = 0
  /// Since when the rest of a head is awaited; nil if no bytes of a head have arrived.
  private var headSince: Int64?
  /// Since when the next `bytesOfBody` of a body are awaited, and how many of them have come.
  private var bodySince: Int64 = 0
  private var bodyBytes: Int64 = 0
  private var lastProgress: Int64
  /// Since when the connection lingers: it discards what the client sends, so that the client can read its answer.
  private var lingeringSince: Int64?
  /// The number of the answer after which the connection is closed.
  private var last: Int?

  /// So many requests of a connection may be unanswered. Clients do not pipeline; a stranger who does would make others
  /// wait, and fill the memory with requests that are read and not answered.
  static let mostUnanswered = 16

  enum Action: Equatable {
    case nothing
    /// Answers `REQUEST_TIMEOUT`, and closes.
    case timeOut
    /// Closes the side that sends, and discards what still arrives.
    case linger
    case close
  }

  init(_ times: ConnectionTimes, at now: Int64) {
    self.times = times
    lastProgress = now
  }

  private var isReadingBody: Bool { heads > ends }
  /// Whether an answer has begun and has not gone out.
  private var isAnswering: Bool { begun > sent }
  /// Whether all answers that have begun are written, and not all have gone out.
  var isSendingRest: Bool { written == begun && isAnswering }
  var linger: Int64 { times.linger }
  var isLingering: Bool { lingeringSince != nil }
  /// Whether an error of the parser can be answered here, because nobody else will.
  var isBetweenRequests: Bool { heads == sent && !isLingering }

  mutating func bytesCame(at now: Int64) {
    if !isReadingBody && headSince == nil { headSince = now }
  }

  /// The head of a request has arrived. Its body may take any time, as long as it keeps its pace. After a request for
  /// another protocol the parser reads no further, so that request is the last one.
  mutating func headCame(isLast: Bool = false, at now: Int64) {
    if isLast && last == nil { last = heads }
    if heads - sent >= Self.mostUnanswered && last == nil { last = heads - 1 }
    heads += 1
    headSince = nil
    (bodySince, bodyBytes) = (now, 0)
  }

  /// Whether the newest request comes behind the last one that is answered, and is to be dropped.
  var isBehindLast: Bool { last.map { heads - 1 > $0 } ?? false }

  mutating func bodyCame(_ count: Int, at now: Int64) {
    bodyBytes += Int64(count)
    if bodyBytes >= times.bytesOfBody { (bodySince, bodyBytes) = (now, 0) }
  }

  mutating func requestEnded() -> Action {
    ends += 1
    return isLingering ? .close : .nothing
  }

  /// An answer begins. `isLast`: no other answer may follow. Returns whether it has to say that the connection is closed
  /// after it.
  mutating func answerBegan(isLast: Bool = false, at now: Int64) -> Bool {
    if !isAnswering { lastProgress = now }
    if isLast { last = min(last ?? begun, begun) }
    if ends == begun && last == nil { last = begun }
    defer { begun += 1 }
    return last.map { begun >= $0 } ?? false
  }

  mutating func answerWasWritten() { written += 1 }

  /// A piece of an answer has gone out.
  mutating func answerWentOn(at now: Int64) { lastProgress = now }

  /// An answer has gone out as a whole.
  mutating func answerWasSent(at now: Int64) -> Action {
    let (number, isWhole) = (sent, ends > sent)
    sent += 1
    lastProgress = now
    if headSince != nil { headSince = now }
    guard number == last else { return .nothing }
    if isWhole { return .close }
    lingeringSince = now
    return .linger
  }

  /// The time at which the state times out; nil while the client waits for the server.
  var deadline: Int64? {
    if let lingeringSince { return lingeringSince + times.linger }
    if isAnswering { return lastProgress + times.body }
    if isReadingBody { return bodySince + times.body }
    guard heads == sent else { return nil }
    return headSince.map { $0 + times.head } ?? lastProgress + times.idle
  }

  /// The action to take when the deadline has passed.
  func expired() -> Action {
    if isLingering || isAnswering { return .close }
    if isReadingBody { return heads - sent == 1 ? .timeOut : .close }
    return headSince == nil ? .close : .timeOut
  }
}
