// Requests under way, with a bound on what they may bring.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of a session: collects answers up to a limit. `data(for:)` would collect whatever a server sends.
///
/// `@unchecked Sendable`: the exchanges are reached under the lock only.
final class HTTPExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let limit: Int
  private let lock = NSLock()
  private var exchanges: [Int: Exchange] = [:]

  private struct Exchange {
    var continuation: CheckedContinuation<(HTTPURLResponse, Data), any Error>
    var data = Data()
    var isTooLarge = false
  }

  init(limit: Int) {
    self.limit = limit
  }

  /// Ends early where the calling task is cancelled, and at the deadline, however slowly bytes come: the timeout of a
  /// request begins anew with each.
  func exchange(_ task: URLSessionDataTask, within milliseconds: Int64) async throws -> (HTTPURLResponse, Data) {
    let deadline = Task {
      try await Task.sleep(for: .milliseconds(milliseconds))
      cancel(task)
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lock.withLock { exchanges[task.taskIdentifier] = Exchange(continuation: continuation) }
        // Who is cancelled before somebody waits would end with nobody to tell.
        if Task.isCancelled { cancel(task) }
        task.resume()
      }
    } onCancel: {
      cancel(task)
    }
  }

  /// Under the lock, and not once its end has come: Foundation on Linux ends the program where a task is cancelled while
  /// it ends (swift-corelibs-foundation, TaskRegistry).
  private func cancel(_ task: URLSessionTask) {
    lock.withLock { if exchanges[task.taskIdentifier] != nil { task.cancel() } }
  }

  func urlSession(
    _: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isTooLarge = response.expectedContentLength > Int64(limit)
    if isTooLarge { lock.withLock { exchanges[task.taskIdentifier]?.isTooLarge = true } }
    completionHandler(isTooLarge ? .cancel : .allow)
  }

  func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = lock.withLock {
      guard var exchange = exchanges[task.taskIdentifier], !exchange.isTooLarge else { return false }
      // Taken out while it grows, so that it is not copied.
      exchanges[task.taskIdentifier]?.data = Data()
      exchange.isTooLarge = exchange.data.count + data.count > limit
      if !exchange.isTooLarge { exchange.data.append(data) }
      exchanges[task.taskIdentifier] = exchange
      return exchange.isTooLarge
    }
    if isTooLarge { cancel(task) }
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = lock.withLock({ exchanges.removeValue(forKey: task.taskIdentifier) }) else { return }
    if exchange.isTooLarge {
      exchange.continuation.resume(throwing: HTTPTransportError("The answer is larger than \(limit >> 20) MiB."))
    } else if let error {
      exchange.continuation.resume(throwing: HTTPTransportError(error.localizedDescription))
    } else if let response = task.response as? HTTPURLResponse {
      exchange.continuation.resume(returning: (response, exchange.data))
    } else {
      exchange.continuation.resume(throwing: HTTPTransportError("The answer is not HTTP."))
    }
  }

  func urlSession(
    _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
    newRequest _: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}

/// No answer came.
public struct HTTPTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for a person.
  public var description: String

  init(_ description: String) {
    self.description = description
  }
}
