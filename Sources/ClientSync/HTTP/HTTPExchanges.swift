// Requests under way, with a bound on what they may bring.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of a session: collects answers up to a limit. `data(for:)` would collect whatever a server sends.
///
/// A caller that is cancelled, or whose time is up, goes on at once: its exchange is abandoned. What still comes of it is
/// dropped, and its connection is closed (decision 13 says how, because Foundation on Linux ends the process where a task
/// is cancelled carelessly).
///
/// `@unchecked Sendable`: the exchanges are reached under the lock only.
final class HTTPExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// Serial, for the session's delegate. Foundation takes a task out of its registry in steps of this queue only, so a
  /// step of ours that cancels a task is never overtaken by that.
  let queue = OperationQueue()
  private let limit: Int
  private let lock = NSLock()
  private var exchanges: [Int: Exchange] = [:]

  private struct Exchange {
    var continuation: CheckedContinuation<(HTTPURLResponse, Data), any Error>
    var data = Data()
  }

  init(limit: Int) {
    self.limit = limit
    queue.maxConcurrentOperationCount = 1
  }

  /// Ends early where the calling task is cancelled, and at the deadline, however slowly bytes come: the timeout of a
  /// request begins anew with each.
  func exchange(_ task: URLSessionDataTask, within milliseconds: Int64) async throws -> (HTTPURLResponse, Data) {
    let deadline = Task {
      try await Task.sleep(for: .milliseconds(milliseconds))
      abandon(task, HTTPTransportError("The server has not answered in time."))
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock { exchanges[task.taskIdentifier] = Exchange(continuation: continuation) }
        task.resume()
        // The cancellation handler found nothing to abandon if it ran before.
        if Task.isCancelled { abandon(task, CancellationError()) }
      }
    } onCancel: {
      abandon(task, CancellationError())
    }
  }

  /// Resumes the caller, and leaves the rest to the delegate's queue: before anything that has come waits there.
  private func abandon(_ task: URLSessionTask, _ error: any Error) {
    guard let exchange = take(task) else { return }
    exchange.continuation.resume(throwing: error)
    let end = BlockOperation { Self.end(task) }
    end.queuePriority = .veryHigh
    queue.addOperation(end)
  }

  /// Ends a task that nobody waits for, in a step of the delegate's queue.
  private static func end(_ task: URLSessionTask) {
    task.cancel()
    #if canImport(FoundationNetworking)
      // Foundation goes on with it on a queue of the task, at most twice, and the priority is read on that queue: so all
      // of it has happened before the next step of the delegate's queue.
      for _ in 0..<2 { _ = task.priority }
    #endif
  }

  private func take(_ task: URLSessionTask) -> Exchange? {
    lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
  }
}

// News of the session, on the delegate's queue.
extension HTTPExchanges {
  func urlSession(
    _: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // Foundation on Linux does not heed another disposition.
    completionHandler(.allow)
    if response.expectedContentLength > Int64(limit) { refuse(task) }
  }

  func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = lock.withLock {
      // Taken out while it grows, so that it is not copied.
      guard var exchange = exchanges.removeValue(forKey: task.taskIdentifier) else { return false }
      let isTooLarge = exchange.data.count + data.count > limit
      if !isTooLarge { exchange.data.append(data) }
      exchanges[task.taskIdentifier] = exchange
      return isTooLarge
    }
    if isTooLarge { refuse(task) }
  }

  private func refuse(_ task: URLSessionTask) {
    guard let exchange = take(task) else { return }
    exchange.continuation.resume(throwing: HTTPTransportError("The answer is larger than \(limit >> 20) MiB."))
    Self.end(task)
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = take(task) else { return }
    if let error {
      exchange.continuation.resume(throwing: HTTPTransportError(error.localizedDescription))
    } else if let response = task.response as? HTTPURLResponse {
      exchange.continuation.resume(returning: (response, exchange.data))
    } else {
      exchange.continuation.resume(throwing: HTTPTransportError("The answer is not HTTP."))
    }
  }

  func urlSession(
    _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
    newRequest _: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Foundation on Linux ends the process where a task is told to go on after it was cancelled.
      guard task.state == .running else { return }
    #endif
    completionHandler(nil)
  }

  #if canImport(FoundationNetworking)
    /// A proxy asks for a password: its answer is an answer. Foundation on Linux would neither bring it nor end the task.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive _: URLAuthenticationChallenge,
      completionHandler _: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      urlSession(session, task: task, didCompleteWithError: nil)
      Self.end(task)
    }
  #endif
}

/// No answer came.
public struct HTTPTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error in words for a person.
  public var description: String

  init(_ description: String) {
    self.description = description
  }
}
