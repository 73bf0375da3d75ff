// HTTP requests under way, with a limit on the size of their answers.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of a session: collects answers up to a limit. `data(for:)` would collect whatever a server sends.
///
/// Deadlines are about progress: an exchange ends once nothing has come or gone for so long, and a slow one goes on. A
/// caller that is cancelled, or whose time is up, goes on at once, and its exchange is abandoned: bytes that still
/// come are dropped, and the connection is closed. Decision 13 says how, because Foundation on Linux may crash when a
/// task is cancelled.
///
/// `@unchecked Sendable`: the exchanges are reached under the lock only.
final class HTTPExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// The serial queue of the session's delegate. Foundation removes a task from its registry only in a step of this
  /// queue, so never during a step of ours that cancels the task.
  let queue = OperationQueue()
  private let limit: Int
  private let lock = NSLock()
  private var exchanges: [Int: Exchange] = [:]

  private struct Exchange {
    var continuation: CheckedContinuation<HTTPAnswer, any Error>
    var didMove: @Sendable () -> Void
    var response: HTTPURLResponse?
    var data = Data()
    /// When bytes came or went last.
    var moved = ContinuousClock.now

    /// Ends with what has come of an answer that breaks off; throws if nothing has.
    func breakOff(_ error: any Error) {
      guard let response, !data.isEmpty else { return continuation.resume(throwing: error) }
      continuation.resume(returning: HTTPAnswer(response: response, data: data, isWhole: false))
    }
  }

  init(limit: Int) {
    self.limit = limit
    queue.maxConcurrentOperationCount = 1
  }

  /// Sends a request and returns its answer. Throws when the calling task is cancelled, and once nothing has come or
  /// gone for `milliseconds`.
  func exchange(
    _ task: URLSessionDataTask, silence milliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> HTTPAnswer {
    let deadline = Task {
      while let wait = rest(of: .milliseconds(milliseconds), task) { try await Task.sleep(for: wait) }
      abandon(task, HTTPTransportError("Nothing has come from the server for \(milliseconds / 1_000) seconds"))
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock { exchanges[task.taskIdentifier] = Exchange(continuation: continuation, didMove: didMove) }
        task.resume()
        // If the cancellation handler ran before, it found nothing to abandon.
        if Task.isCancelled { abandon(task, CancellationError()) }
      }
    } onCancel: {
      abandon(task, CancellationError())
    }
  }

  /// How much of a silence is left; nil if it is over.
  private func rest(of silence: Duration, _ task: URLSessionTask) -> Duration? {
    // An exchange that is not entered yet has just begun.
    let moved = lock.withLock { exchanges[task.taskIdentifier]?.moved ?? .now }
    let rest = silence - moved.duration(to: .now)
    return rest > .zero ? rest : nil
  }

  /// Resumes the caller at once. The delegate's queue then cancels the task, before it handles events that wait there.
  private func abandon(_ task: URLSessionTask, _ error: any Error) {
    guard let exchange = take(task) else { return }
    if error is CancellationError { exchange.continuation.resume(throwing: error) } else { exchange.breakOff(error) }
    let end = BlockOperation { Self.end(task) }
    end.queuePriority = .veryHigh
    queue.addOperation(end)
  }

  /// Cancels a task that nobody waits for. Called in a step of the delegate's queue.
  private static func end(_ task: URLSessionTask) {
    task.cancel()
    #if canImport(FoundationNetworking)
      // Foundation finishes the cancellation in at most two steps on a queue of the task. Reading the priority waits
      // for a step of that queue, so both are over before the delegate's queue goes on.
      for _ in 0..<2 { _ = task.priority }
    #endif
  }

  private func take(_ task: URLSessionTask) -> Exchange? {
    lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
  }
}

// Callbacks of the session, on the delegate's queue.
extension HTTPExchanges {
  func urlSession(
    _: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // Foundation on Linux ignores any other disposition.
    completionHandler(.allow)
    lock.withLock { exchanges[task.taskIdentifier]?.response = response as? HTTPURLResponse }
    if response.expectedContentLength > Int64(limit) { refuse(task) }
  }

  func urlSession(
    _: URLSession, task: URLSessionTask, didSendBodyData _: Int64, totalBytesSent _: Int64,
    totalBytesExpectedToSend _: Int64
  ) {
    move(task)
  }

  private func move(_ task: URLSessionTask) {
    let didMove = lock.withLock {
      exchanges[task.taskIdentifier]?.moved = .now
      return exchanges[task.taskIdentifier]?.didMove
    }
    didMove?()
  }

  func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = lock.withLock {
      // Removed from the dictionary while it grows, so that appending does not copy it.
      guard var exchange = exchanges.removeValue(forKey: task.taskIdentifier) else { return false }
      let isTooLarge = exchange.data.count + data.count > limit
      if !isTooLarge { exchange.data.append(data) }
      exchanges[task.taskIdentifier] = exchange
      return isTooLarge
    }
    if isTooLarge { refuse(task) } else { move(task) }
  }

  private func refuse(_ task: URLSessionTask) {
    guard let exchange = take(task) else { return }
    exchange.continuation.resume(throwing: HTTPTransportError("The answer is larger than \(limit >> 20) MiB"))
    Self.end(task)
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = take(task) else { return }
    if let error {
      exchange.breakOff(HTTPTransportError(error))
    } else if let response = task.response as? HTTPURLResponse {
      exchange.continuation.resume(returning: HTTPAnswer(response: response, data: exchange.data, isWhole: true))
    } else {
      exchange.continuation.resume(throwing: HTTPTransportError("The answer is not HTTP"))
    }
  }

  func urlSession(
    _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
    newRequest _: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Foundation on Linux ends the process if a redirection is answered after its task was cancelled.
      guard task.state == .running else { return }
    #endif
    completionHandler(nil)
  }

  #if canImport(FoundationNetworking)
    /// If a proxy asks for a password, its answer is taken as it is. Foundation on Linux would neither deliver that
    /// answer nor end the task.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive _: URLAuthenticationChallenge,
      completionHandler _: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      urlSession(session, task: task, didCompleteWithError: nil)
      Self.end(task)
    }
  #endif
}

/// An answer as it came; `isWhole` is false if the connection broke off before its end.
struct HTTPAnswer {
  var response: HTTPURLResponse
  var data: Data
  var isWhole: Bool
}
