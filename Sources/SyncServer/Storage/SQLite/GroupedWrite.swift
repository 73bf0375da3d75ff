// A transaction that becomes one of SQLite together with others; whoever collects them decides when.

/// One transaction of one caller. The thread that writes alone runs it, so that the simulation can be that thread.
///
/// `@unchecked Sendable`: the writing thread alone runs it.
package final class GroupedWrite: @unchecked Sendable {
  private let run: (any QueueTransaction) throws -> Void
  /// An error of the disk takes the place of what the transaction had come to.
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
      // Where the disk failed before its turn came, it was never run.
      call.drop()
      if let error {
        continuation.resume(throwing: error)
      } else if let value = result.value {
        continuation.resume(with: value)
      }
    }
  }

  /// Waits until the transaction is written. `add` gives it to the thread that writes; false where too many wait there.
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

  /// Writes them in one transaction of SQLite, `first` and as long as `next` has more, then lets their callers go on.
  /// Returns the error for which nothing of any of them is kept; what one of them throws is for its own caller only.
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

  /// Nobody will write it any more.
  package func fail(_ error: any Error) { finish(error) }
}

private final class ResultBox<Output> {
  var value: Result<Output, any Error>?
}
