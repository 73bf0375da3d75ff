// The token of the user, and everybody who waits for one.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps the token that is sent until the server refuses it. The app is asked once, however many requests wait for its
/// answer, and however long that takes: it may be showing a window to sign in.
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

  /// Throws where there is none in time, and where its task is cancelled: the app need not notice either.
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
        // A task that was cancelled already would never be woken.
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

  /// Foundation's errors describe themselves to programmers: a missing file takes six lines.
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

  /// A late answer about an earlier token says nothing about the one that has taken its place.
  func refused(_ token: String) {
    guard current == token else { return }
    (current, isRefused) = (nil, true)
  }
}
