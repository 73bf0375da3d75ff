// A request that was read: what is left of it while it runs, which may be as long as a poll waits.

import SyncProtocol

/// A class, so that a frame that waits holds no more of it than a reference. `@unchecked Sendable`: reached by the task of
/// its request only.
package final class GraphQLJob: @unchecked Sendable {
  private var state: State

  private enum State {
    case accepted(GraphQLExecution, source: [UInt8])
    /// Also where nothing of it was executed.
    case answered(GraphQLResponse)
  }

  init(refusing errors: [GraphQLError], source: [UInt8] = []) {
    state = .answered(GraphQLResponse(errors: errors, source: source))
  }

  init(_ execution: GraphQLExecution, source: [UInt8]) {
    state = .accepted(execution, source: source)
    answerAtEnd()
  }

  /// The fields at the top that are to be executed.
  package var calls: [String] {
    switch state {
    case .accepted(let execution, _): execution.calls
    case .answered: []
    }
  }

  /// Fields are awaited here; what takes the processor long is done by `calls`. Thousands are in here at a time: what waits
  /// has little on its stack, since the execution takes values and waits for none.
  package func run(by calls: any BlockingCalls) async {
    while let field = next {
      do { await take(.success(try await field()), calls) } catch { await take(.failure(error), calls) }
    }
  }

  package func answer(by calls: any BlockingCalls) async -> GraphQLResponse {
    await run(by: calls)
    return response
  }

  private var next: GraphQLRoot.Run? {
    guard case .accepted(let execution, _) = state else { return nil }
    return execution.next
  }

  /// Once it has run.
  package var response: GraphQLResponse {
    guard case .answered(let response) = state else { preconditionFailure("it has not run") }
    return response
  }

  @inline(never)
  private func take(_ result: Result<GraphQLRoot.Output, any Error>, _ calls: any BlockingCalls) async {
    // The calls that were made are answered, also where too many others wait.
    do { try await calls.goOn { self.take(result) } } catch { take(result) }
  }

  @inline(never)
  private func take(_ result: Result<GraphQLRoot.Output, any Error>) {
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
