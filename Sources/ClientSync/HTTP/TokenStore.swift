// Keeps the user's token, and the requests that wait for one.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps a token until the server refuses it. Asks the app once for all requests that wait. The answer may take long,
/// because the app may show a window to sign in.
actor TokenStore {
  private let ask: @Sendable (_ isRefused: Bool) async throws -> String
  private var current: String?
  private var isRefused = false
  private var isAsking = false
  private var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
  private var count = 0

  init(_ ask: @escaping @Sendable (_ isRefused: Bool) async throws -> String) {
    self.ask = ask
  }

  /// Returns the token, and asks the app if there is none. Throws the app's error. Also throws at the deadline and when
  /// its task is cancelled, while the app goes on with its answer.
  func token(within milliseconds: Int64 = 30_000) async throws -> String {
    if let current { return current }
    if !isAsking { askApp() }
    count += 1
    let number = count
    let deadline = Task {
      try await Task.sleep(for: .milliseconds(milliseconds))
      leave(number, SyncError(.unreachable, "The app has given no token yet."))
    }
    defer { deadline.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // A task that was cancelled already does not wait.
        guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
        waiting[number] = continuation
      }
    } onCancel: {
      Task { await leave(number, CancellationError()) }
    }
  }

  private func leave(_ number: Int, _ error: any Error) {
    waiting.removeValue(forKey: number)?.resume(throwing: error)
  }

  private func askApp() {
    isAsking = true
    Task { [ask, isRefused] in
      do {
        answered(.success(try await ask(isRefused)))
      } catch let error as SyncError {
        answered(.failure(error))
      } catch {
        answered(.failure(SyncError(.unreachable, "The app has no token for now: \(Self.words(for: error))")))
      }
    }
  }

  /// The error in words. Foundation's own descriptions are for programmers: a missing file takes six lines.
  private static func words(for error: any Error) -> String {
    guard error is CocoaError || error is URLError || error is any LocalizedError else { return "\(error)" }
    let file = (error as? CocoaError)?.filePath.map { " (\($0))" } ?? ""
    return error.localizedDescription + file
  }

  private func answered(_ answer: Result<String, SyncError>) {
    isAsking = false
    if case .success(let token) = answer { (current, isRefused) = (token, false) }
    let everybody = waiting.values
    waiting = [:]
    for continuation in everybody { continuation.resume(with: answer.mapError { $0 }) }
  }

  /// Drops the token that the server refused. Ignores a late answer about an earlier token.
  func refused(_ token: String) {
    guard current == token else { return }
    (current, isRefused) = (nil, true)
  }
}
