// Where a connection is between two requests, and until when it may stay there. Pure: events in, actions out.

/// Times are nanoseconds of a clock that never goes back.
struct ConnectionTimes: Sendable {
  var head: Int64
  var body: Int64
  var idle: Int64
  /// How long a client that was answered before its body had come may go on sending.
  var linger: Int64 = 5_000_000_000
}

struct ConnectionState {
  private let times: ConnectionTimes
  /// Requests come in a pipeline, so they are counted: their heads and ends, the answers that began and were written,
  /// and those that have gone out.
  private var heads = 0
  private var ends = 0
  private var begun = 0
  private var written = 0
  private var sent = 0
  /// Since when there are bytes of a head that is not whole.
  private var headSince: Int64?
  private var bodySince: Int64 = 0
  private var isFile = false
  private var lastProgress: Int64
  /// Since when a client is listened to only for its own sake.
  private var lingeringSince: Int64?
  /// The number of the answer after which the connection is closed.
  private var last: Int?

  enum Action: Equatable {
    case nothing
    /// Answers `REQUEST_TIMEOUT`, and closes.
    case timeOut
    /// Says that no more comes, and takes what still comes away.
    case linger
    case close
  }

  init(_ times: ConnectionTimes, at now: Int64) {
    self.times = times
    lastProgress = now
  }

  private var isReadingBody: Bool { heads > ends }
  /// Whether there is an answer that has not gone out.
  private var isAnswering: Bool { begun > sent }
  /// Whether all answers are written, and not all have gone out.
  var isSendingRest: Bool { written == begun && isAnswering }
  var linger: Int64 { times.linger }
  var isLingering: Bool { lingeringSince != nil }
  /// Whether an error of the parser can be answered here, because nobody else will.
  var isBetweenRequests: Bool { heads == sent && !isLingering }

  mutating func bytesCame(at now: Int64) {
    if !isReadingBody && headSince == nil { headSince = now }
  }

  /// Of a file, only how long nothing comes counts. After a request that asks for another protocol the parser reads no
  /// further, so it is the last one.
  mutating func headCame(isFile: Bool, isLast: Bool = false, at now: Int64) {
    if isLast && last == nil { last = heads }
    heads += 1
    headSince = nil
    bodySince = now
    self.isFile = isFile
  }

  mutating func bodyCame(at now: Int64) {
    if isFile { bodySince = now }
  }

  mutating func requestEnded() -> Action {
    ends += 1
    return isLingering ? .close : .nothing
  }

  /// Returns whether the answer has to say that the connection is closed after it.
  mutating func answerBegan(at now: Int64) -> Bool {
    if !isAnswering { lastProgress = now }
    if ends == begun && last == nil { last = begun }
    defer { begun += 1 }
    return last.map { begun >= $0 } ?? false
  }

  mutating func answerWasWritten() { written += 1 }

  /// A piece of an answer has gone out.
  mutating func answerWentOn(at now: Int64) { lastProgress = now }

  /// The end of an answer has gone out, and so all of it.
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

  /// Nil while we are the ones who are waited for.
  var deadline: Int64? {
    if let lingeringSince { return lingeringSince + times.linger }
    if isAnswering { return lastProgress + times.body }
    if isReadingBody { return bodySince + times.body }
    guard heads == sent else { return nil }
    return headSince.map { $0 + times.head } ?? lastProgress + times.idle
  }

  /// The deadline has passed.
  func expired() -> Action {
    if isLingering || isAnswering { return .close }
    if isReadingBody { return heads - sent == 1 ? .timeOut : .close }
    return headSince == nil ? .close : .timeOut
  }
}
