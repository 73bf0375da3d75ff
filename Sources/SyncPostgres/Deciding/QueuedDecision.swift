// A decision that waits to be written together with others about its queue.

import SyncServer
import WireFormat

/// One decision of one caller. It may run several times, and its caller is resumed once.
///
/// `@unchecked Sendable`: the caller hands it over, and one thread at a time runs it.
final class QueuedDecision: @unchecked Sendable {
  /// The rows that it reads before all others, and most likely; see `QueueSnapshot.decide`.
  let first: [RowKey]
  let likely: [RowKey]
  let user = Caller.user
  private let decide: (inout UnitOfWork) throws -> Bool
  private let resume: ((any Error)?) -> Void

  private init<Result: Sendable>(
    _ first: [RowKey], _ likely: [RowKey], _ body: DecisionBody<Result>,
    _ continuation: CheckedContinuation<Result, any Error>
  ) {
    (self.first, self.likely) = (first, likely)
    decide = { work in
      do { body.result = .success(try body.run(&work)) } catch let absent as UnitOfWork.NotLoaded { throw absent } catch {
        body.result = .failure(error)
      }
      if case .success? = body.result { return true }
      return false
    }
    resume = { error in
      // The body must not outlive the caller.
      body.drop()
      if let error {
        continuation.resume(throwing: error)
      } else if let result = body.result {
        continuation.resume(with: result)
      } else {
        preconditionFailure("a decision that was written was made")
      }
    }
  }

  /// Waits until the decision is written. `add` puts it in its lane.
  static func perform<Result: Sendable>(
    _ decision: @Sendable (inout UnitOfWork) throws -> Result, reading first: [RowKey], then likely: [RowKey],
    add: (QueuedDecision) -> Void
  ) async throws -> Result {
    try await withoutActuallyEscaping(decision) { decision in
      let body = DecisionBody(decision)
      return try await withCheckedThrowingContinuation { add(QueuedDecision(first, likely, body, $0)) }
    }
  }

  /// Decides on these rows. Nil if it throws: then its caller gets the error, and it has written nothing. Throws
  /// `UnitOfWork.NotLoaded` if a row is missing.
  func work(on queue: QueueID, _ rows: [RowKey: RowValue]) throws -> UnitOfWork? {
    var work = UnitOfWork(on: queue, rows)
    return try decide(&work) ? work : nil
  }

  /// Resumes the caller: with this error if nothing was written, else with the result of the decision.
  func finish(_ error: (any Error)? = nil) { resume(error) }
}

private final class DecisionBody<Result> {
  private var body: ((inout UnitOfWork) throws -> Result)?
  var result: Swift.Result<Result, any Error>?

  init(_ body: @escaping (inout UnitOfWork) throws -> Result) { self.body = body }

  func run(_ work: inout UnitOfWork) throws -> Result {
    guard let body else { preconditionFailure("a decision is not made after its end") }
    return try body(&work)
  }

  func drop() { body = nil }
}
