// A transaction that shares one of SQLite with others. The code that collects them decides when they are written.

/// One transaction of one caller. In the simulation, a task takes the place of the writer thread.
///
/// `@unchecked Sendable`: only the writer thread runs it.
package final class GroupedWrite: @unchecked Sendable {
  private let run: (any QueueTransaction) throws -> Void
  /// Resumes the caller: with this error if the disk failed, else with the result of the transaction.
  private let finish: ((any Error)?) -> Void

  private init<Output: Sendable>(
    _ call: BlockingCall<any QueueTransaction, Output>, _ continuation: CheckedContinuation<Output, any Error>,
    saying translated: @escaping (any Error) -> any Error
  ) {
    let result = ResultBox<Output>()
    run = { transaction in
      result.value = call.run(transaction).mapError(translated)
      if case .failure(let error)? = result.value { throw error }
    }
    finish = { error in
      // If the disk failed before the turn of this transaction, the body was never run.
      call.drop()
      if let error {
        continuation.resume(throwing: error)
      } else if let value = result.value {
        continuation.resume(with: value)
      }
    }
  }

  /// Waits until the transaction is written. `add` queues it for the writer thread; false means that too many wait
  /// there, and this throws a `StorageError`.
  package static func perform<Result: Sendable>(
    on storage: SQLiteStorage, _ body: @Sendable (any QueueTransaction) throws -> Result, add: (GroupedWrite) -> Bool
  ) async throws -> Result {
    try await withoutActuallyEscaping(body) { body in
      let call = BlockingCall<any QueueTransaction, Result>(body)
      return try await withCheckedThrowingContinuation { continuation in
        if !add(GroupedWrite(call, continuation, saying: storage.translated)) {
          call.drop()
          continuation.resume(throwing: StorageError(.busy, "Too many transactions wait to be written."))
        }
      }
    }
  }

  /// Writes `first`, and then what `next` returns until nil, in one transaction of SQLite. Then resumes all callers.
  /// Returns the error if SQLite failed, which undoes all of them. An error that one of them throws undoes that one
  /// only, and goes to its own caller.
  @discardableResult
  package static func write(
    _ first: GroupedWrite, to storage: SQLiteStorage, next: () -> GroupedWrite?
  ) -> (any Error)? {
    var (written, isFirst) = ([first], true)
    var failure: (any Error)?
    do {
      try storage.writeTogether {
        if isFirst {
          isFirst = false
        } else if let write = next() {
          written.append(write)
        } else {
          return nil
        }
        return written[written.count - 1].run
      }
    } catch { failure = error }
    for write in written { write.finish(failure) }
    return failure
  }

  /// Resumes the caller with an error. To be called if the transaction will never be written.
  package func fail(_ error: any Error) { finish(error) }
}

private final class ResultBox<Output> {
  var value: Result<Output, any Error>?
}
