// A decision that waits to be written together with others about its queue.

import Foundation
import SyncServer
import WireFormat

/// One decision of one caller, with its result. It may be made several times, and ends once.
///
/// `@unchecked Sendable`: one thread at a time makes the decision, and a lock guards the end.
final class QueuedDecision: @unchecked Sendable {
  /// The rows that it reads before all others, and most likely; see `QueueSnapshot.decide`.
  let first: [RowKey]
  let likely: [RowKey]
  let user = Caller.user
  private var body: ((inout UnitOfWork) throws -> Void)?
  /// The error that the decision throws by itself.
  private var refusal: (any Error)?
  private let lock = NSLock()
  private var end: Result<Void, any Error>?
  private var waiting: CheckedContinuation<Void, any Error>?

  /// `decision` stores its result where its caller looks for it after `ended`.
  init(reading first: [RowKey], then likely: [RowKey], _ decision: @escaping (inout UnitOfWork) throws -> Void) {
    (self.first, self.likely, body) = (first, likely, decision)
  }

  /// Decides on these rows. Nil if it throws: then its caller gets the error, and it has written nothing. Throws
  /// `UnitOfWork.NotLoaded` if a row is missing.
  func work(on queue: QueueID, _ rows: [RowKey: RowValue]) throws -> UnitOfWork? {
    guard let body else { preconditionFailure("a decision is not made after its end") }
    var work = UnitOfWork(on: queue, rows)
    refusal = nil
    do { try body(&work) } catch let absent as UnitOfWork.NotLoaded { throw absent } catch { refusal = error }
    return refusal == nil ? work : nil
  }

  /// Ends it: with this error if nothing was written, or with what the decision has thrown itself.
  func finish(_ error: (any Error)? = nil) {
    // The body must not outlive the caller.
    body = nil
    let end: Result<Void, any Error> = (error ?? refusal).map { .failure($0) } ?? .success(())
    let waiting = lock.withLock {
      self.end = end
      return self.waiting
    }
    waiting?.resume(with: end)
  }

  /// Waits for the end, and throws its error.
  func ended() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let end = lock.withLock {
        if self.end == nil { waiting = continuation }
        return self.end
      }
      if let end { continuation.resume(with: end) }
    }
  }
}
