// Runs an asynchronous function that waits for nothing on the calling thread, because libFuzzer watches one thread.

/// `@unchecked Sendable`: only the thread in `run` uses it, because the function never waits for another thread.
final class InlineExecutor: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let executor = InlineExecutor()
    let result = Result<Value>()
    _ = Task(executorPreference: executor) { result.value = await body() }
    while let job = executor.jobs.first {
      executor.jobs.removeFirst()
      job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
    guard let value = result.value else { preconditionFailure("it waits for somebody") }
    return value
  }

  /// `@unchecked Sendable`: written and read on one thread.
  private final class Result<Value>: @unchecked Sendable {
    var value: Value?
  }
}
