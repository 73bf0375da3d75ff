// Lets the measuring thread wait for asynchronous code.

import Foundation

/// Runs `body` as a task and waits for it on this thread, which must not be one of those that tasks share.
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  let result = Awaited<Value>()
  Task {
    do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
    result.isThere.signal()
  }
  result.isThere.wait()
  guard let value = result.value else { preconditionFailure("the task has ended") }
  return try value.get()
}

/// `@unchecked Sendable`: `value` is written before the semaphore is signalled, and read after waiting for it.
private final class Awaited<Value: Sendable>: @unchecked Sendable {
  let isThere = DispatchSemaphore(value: 0)
  var value: Result<Value, any Error>?
}
