// A GraphQL request after parsing. It takes little memory, because a field may wait for long.

/// A class, so that a waiting frame holds only a reference. `@unchecked Sendable`: only the task of its request uses
/// it.
package final class GraphQLJob: @unchecked Sendable {
  private var state: State

  private enum State {
    case accepted(GraphQLExecution, source: [UInt8])
    /// Also the state of a request that was refused before execution.
    case answered(GraphQLResponse)
  }

  /// A request that is not executed.
  package init(refusing errors: [GraphQLError], source: [UInt8] = []) {
    state = .answered(GraphQLResponse(errors: errors, source: source))
  }

  init(_ execution: GraphQLExecution, source: [UInt8]) {
    state = .accepted(execution, source: source)
    answerAtEnd()
  }

  /// The top-level fields that are to be executed; none once the request is answered.
  package var calls: [String] {
    switch state {
    case .accepted(let execution, _): execution.calls
    case .answered: []
    }
  }

  /// Runs the fields one after the other. Awaits them here, and has `worker` do the work that takes processor time;
  /// without one it is done here too. Thousands of requests wait in here at a time; each has little on its stack,
  /// because `GraphQLExecution` itself waits for nothing.
  package func run(by worker: (any GraphQLWorker)? = nil) async {
    while let field = next {
      do { await take(.success(try await field()), worker) } catch { await take(.failure(error), worker) }
    }
  }

  /// Runs the fields here, and returns the response.
  package func answer() async -> GraphQLResponse {
    await run()
    return response
  }

  private var next: GraphQLResolver.Run? {
    guard case .accepted(let execution, _) = state else { return nil }
    return execution.next
  }

  /// The response. Traps unless `run` has ended.
  package var response: GraphQLResponse {
    guard case .answered(let response) = state else { preconditionFailure("it has not run") }
    return response
  }

  @inline(never)
  private func take(_ result: Result<GraphQLResolver.Output, any Error>, _ worker: (any GraphQLWorker)?) async {
    guard let worker else { return take(result) }
    // The field was run, so its result is written even if the worker has no room.
    do { try await worker.goOn { self.take(result) } } catch { take(result) }
  }

  @inline(never)
  private func take(_ result: Result<GraphQLResolver.Output, any Error>) {
    guard case .accepted(var execution, let source) = state else { return }
    execution.take(result)
    state = .accepted(execution, source: source)
    answerAtEnd()
  }

  private func answerAtEnd() {
    guard case .accepted(let execution, let source) = state, execution.next == nil else { return }
    state = .answered(GraphQLResponse(execution, source))
  }
}

/// Does work that takes processor time, elsewhere than where it waits.
package protocol GraphQLWorker: Sendable {
  /// Runs a further step of a request that has begun. Throws if there is no room, without having run it.
  func goOn<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result
}
