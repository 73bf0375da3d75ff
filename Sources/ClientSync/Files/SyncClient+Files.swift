// Sends requests about files, and takes in the answers.

import ClientStore
import Determinism
import JSON
import ModelTypes
import SyncProtocol
import WireFormat

extension SyncClient {
  /// Tells the client whether the network costs money. Meanwhile uploads wait, unless `FileLimits` let them go on.
  public func setNetwork(isExpensive: Bool) {
    files.isExpensive = isExpensive
    ring()
  }

  var fileFacts: FileFacts {
    FileFacts(
      counts: store.fileCounts,
      uploads: { [store] in store.nextUploads(limit: $0, where: $1) },
      fetches: { [store] in store.nextFetches(limit: $0, where: $1) })
  }

  /// Returns the turns to begin now, and marks them as under way. There are none while sync is paused or failing, or
  /// before it has heard the server's present history.
  func beginFiles() -> [FileTurn] {
    guard fileTransport != nil, !machine.isPaused, !machine.connection.hasFailed, let history = store.history,
      machine.answerHistory == history
    else { return [] }
    files.firstParts = (Int64(link.up.bytes(atMost: 1 << 20)), Int64(link.down.bytes(atMost: 1 << 20)))
    return files.begin(fileFacts, at: now)
  }

  /// Once a day lets the store release files that the server has had for 7 days.
  func releaseFiles() async throws {
    guard fileTransport != nil, let history = store.history, machine.answerHistory == history,
      let time = machine.answerTime
    else { return }
    do {
      if let filesReleasedAt, time.isSameDay(as: filesReleasedAt) { return }
      filesReleasedAt = time
      try await store.releaseFiles(at: time)
    } catch let error as StoreError where error.isPassing {}
  }

  /// Whether a file transfer is under way, or could begin now but for the limit of bytes a second.
  var isMovingFiles: Bool {
    guard fileTransport != nil else { return false }
    return files.isMoving(fileFacts, at: now)
  }

  func perform(_ turn: FileTurn) async {
    do {
      let result = try await carryOut(turn)
      if let note = files.end(turn, result, at: now, chance: chance) {
        try await store.fail(note.error, note.failure, of: turn.place)
      }
    } catch {
      files.end(turn, .nothing, at: now, chance: chance)
      if (error as? StoreError)?.isPassing != true { fail(error) }
    }
    ring()
  }

  private func carryOut(_ turn: FileTurn) async throws -> FileTurn.Result {
    do {
      switch turn.kind {
      case .ask: return try await ask(turn.place)
      case .part(let offset, let count, let size): return try await send(turn.place, offset, count, size)
      case .fetch(let count): return try await fetch(turn.place, count)
      }
    } catch let failure as SyncFailure {
      return Task.isCancelled ? .nothing : .unreachable(failure)
    } catch let error as FileError {
      return .failed(error, retryAfterMilliseconds: 0)
    } catch let error as StoreError where error.isPassing {
      return .failed(FileError(.disk, error.message), retryAfterMilliseconds: 0)
    }
  }
}

// Uploads.
extension SyncClient {
  private func ask(_ place: FileKey) async throws -> FileTurn.Result {
    try check()
    guard try await store.isWanted(place) else { return .done(bytes: 0) }
    let answer = try await answer(
      FileRequest(file: place, call: .state, timeoutMilliseconds: Self.silenceMilliseconds))
    if answer.isComplete { return try await finish(place) }
    if let code = answer.refusal?.code, code != .notFound { return result(of: code, answer) }
    if answer.offset ?? 0 == 0, try await copy(place) { return try await finish(place) }
    guard store.sizeOfFile(place) != nil else {
      return .failed(
        FileError(.absent, "The file is neither here nor on the server: a device that has it must still upload it."),
        retryAfterMilliseconds: 0)
    }
    return .moved(to: answer.offset ?? 0, bytes: 0)
  }

  /// Asks the server to copy the file from another queue that the user reads. If it does, nothing has to be uploaded.
  private func copy(_ place: FileKey) async throws -> Bool {
    for source in try store.queues(withFileOf: place, limit: Self.copySources) {
      let answer = try await answer(
        FileRequest(
          file: place, call: .copy(from: source), timeoutMilliseconds: Self.silenceMilliseconds))
      if answer.isComplete { return true }
    }
    return false
  }

  private static let copySources = 4

  private func send(_ place: FileKey, _ offset: Int64, _ count: Int64, _ size: Int64) async throws -> FileTurn.Result {
    try check()
    guard try await store.isWanted(place) else { return .done(bytes: 0) }
    let slice = count > 0 ? store.slice(of: place, at: offset, count: count) : nil
    guard count == 0 || slice != nil else {
      return .failed(FileError(.lost, "The file is no longer on this device."), retryAfterMilliseconds: 0)
    }
    let isLast = offset + count == size
    let answer = try await answer(
      FileRequest(
        file: place, call: .part(slice, offset: offset, isLast: isLast), timeoutMilliseconds: silence(for: Int(count)))
    )
    if answer.isComplete { return try await finish(place, bytes: count) }
    switch answer.refusal?.code {
    case nil, .offsetMismatch:
      guard let offset = answer.offset else { return .unclear(Self.strange) }
      store.setSent(offset, of: place)
      return .moved(to: offset, bytes: count)
    case .hashMismatch:
      guard store.isWhole(place) else {
        return .failed(
          FileError(.lost, "The bytes on this device are not those that were added: the file is damaged."),
          retryAfterMilliseconds: 0)
      }
      return .unclear(FileError(.wrongBytes, "The server received other bytes than were sent; the file is sent again."))
    case let code?: return result(of: code, answer)
    }
  }

  private func finish(_ place: FileKey, bytes: Int64 = 0) async throws -> FileTurn.Result {
    try check()
    try await store.didUpload(place, at: machine.answerTime ?? .zero)
    return .done(bytes: bytes)
  }
}

// Fetches.
extension SyncClient {
  private func fetch(_ place: FileKey, _ count: Int64) async throws -> FileTurn.Result {
    try check()
    guard let size = store.sizeOfFetch(place) else { return .done(bytes: 0) }
    let start = try store.fetched(place)
    // All bytes came before a crash, or there are too many: `finishFetch` checks them.
    guard start < size || size == 0 else { return try await finishFetch(place) }
    let range = start..<max(min(start + count, size), start + 1)
    let answer = try await answer(
      FileRequest(file: place, call: .range(range), timeoutMilliseconds: Self.silenceMilliseconds))
    try check()
    // Nobody waits for the file any more, or its queue has gone.
    let received = Int64(answer.answer.body.count)
    guard store.sizeOfFetch(place) != nil else { return .done(bytes: received) }
    if let refusal = answer.refusal {
      // An empty file has no range to send.
      if refusal.code == .rangeNotSatisfiable, size == 0, answer.total == 0 { return try await finishFetch(place) }
      return result(of: refusal.code, answer)
    }
    let bytes = answer.answer.body
    guard let total = answer.total, total == size, received <= range.count, !bytes.isEmpty else {
      guard let total = answer.total, total != size else { return .unclear(Self.strange) }
      store.failFetch(
        place, FileError(.wrongBytes, "The file has \(total) bytes, not \(size) as the object says that names it.")
      )
      return .done(bytes: received)
    }
    try store.append(bytes, to: place, at: start)
    let now = start + received
    return now == size ? try await finishFetch(place, bytes: received) : .moved(to: now, bytes: received)
  }

  private func finishFetch(_ place: FileKey, bytes: Int64 = 0) async throws -> FileTurn.Result {
    if try await store.finishFetch(place) { return .done(bytes: bytes) }
    return .unclear(FileError(.wrongBytes, "The bytes that came do not match the file's hash; they are fetched again."))
  }
}

// A request ends with an answer, or throws a `SyncFailure` or a `FileError`.
extension SyncClient {
  private nonisolated func answer(_ request: FileRequest) async throws -> FileAnswer {
    do {
      return try await answerOnce(request)
    } catch let failure as SyncFailure where failure.reaction == .refreshCredentials {
      do { try await fileTransport?.refreshCredentials() } catch { throw SyncFailure(error) }
      return try await answerOnce(request)
    }
  }

  private nonisolated func answerOnce(_ request: FileRequest) async throws -> FileAnswer {
    guard let fileTransport else { throw SyncFailure(.waitForServer, .unreachable, "No transport for files was set.") }
    let answer: FileAnswer
    do { answer = try await fileTransport.send(request) } catch let error as FileError { throw error } catch {
      throw SyncFailure(error)
    }
    if let failure = SyncFailure(answer.answer), failure.reaction != .halveBatch { throw failure }
    if let server = answer.answer.server, try await !store.isServer(server) { throw SyncFailure.otherServer }
    // Sync has to take in the new history first.
    if let history = answer.answer.history, history != store.history { throw SyncFailure.historyChanged }
    // This refusal concerns all files; the others concern only this one.
    if let refusal = answer.refusal, refusal.code == .tooManyRequests {
      throw SyncFailure(refusal, retryAfterSeconds: answer.answer.retryAfterSeconds)
    }
    return answer
  }

  private func result(of code: RequestError.Code, _ answer: FileAnswer) -> FileTurn.Result {
    let milliseconds = min(max(answer.answer.retryAfterSeconds ?? 0, 0), 300) * 1_000
    let message = answer.refusal?.message ?? ""
    switch code {
    case .tooLarge where answer.isOfServer:
      return .failed(FileError(.tooLarge, "The server refuses the file: \(message)"), retryAfterMilliseconds: 0)
    case .tooLarge: return .tooLargePart
    case .quotaExceeded:
      return .failed(
        FileError(.quota, "The server has no room for the file: \(message)"), retryAfterMilliseconds: milliseconds)
    case .forbidden:
      return .failed(
        FileError(.forbidden, "The server answered FORBIDDEN: \(message)"), retryAfterMilliseconds: milliseconds)
    case .notFound:
      return .failed(
        FileError(.absent, "The server does not have the file yet: the device that added it must still upload it."),
        retryAfterMilliseconds: milliseconds)
    case .offsetMismatch, .rangeNotSatisfiable, .hashMismatch: return .unclear(Self.strange)
    default:
      return .failed(
        FileError(.unreachable, "The server answered \(code.rawValue): \(message)"),
        retryAfterMilliseconds: milliseconds)
    }
  }

  private static let strange = FileError(.unreachable, "The server's answer about the file cannot be used.")
}

extension Timestamp {
  fileprivate func isSameDay(as other: Timestamp) -> Bool {
    millisecondsSince1970 / 86_400_000 == other.millisecondsSince1970 / 86_400_000
  }
}

extension FileAnswer {
  /// Whether the server answered, and not something in between.
  fileprivate var isOfServer: Bool { answer.protocolVersion != nil }

  /// The error in the answer; nil if it succeeded.
  fileprivate var refusal: RequestError? {
    guard answer.status >= 400 else { return nil }
    // Answers to HEAD have no body; only the status tells the error.
    let error = (try? JSONValue(body: answer.body, atMost: ProtocolLimits.answerBytes)).flatMap {
      RequestError(answer: $0)
    }
    return error ?? RequestError(status: answer.status)
  }
}
