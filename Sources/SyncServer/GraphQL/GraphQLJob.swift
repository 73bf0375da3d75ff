// A GraphQL request after parsing. It takes little memory, because a poll may wait for long.

import SyncProtocol

/// A class, so that a waiting frame holds only a reference. `@unchecked Sendable`: only the task of its request uses
/// it.
package final class GraphQLJob: @unchecked Sendable {
  private var state: State
  /// The schema that the request names; empty if it names none.
  package fileprivate(set) var schema = ""

  private enum State {
    case accepted(GraphQLExecution, source: [UInt8])
    /// Also the state of a request that was refused before execution.
    case answered(GraphQLResponse)
  }

  init(refusing errors: [GraphQLError], source: [UInt8] = []) {
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

  /// Runs the fields one after the other. Awaits them here, and has `calls` do the work that takes processor time.
  /// Thousands of polls wait in here at a time; each has little on its stack, because `GraphQLExecution` itself waits
  /// for nothing.
  package func run(by calls: any BlockingCalls) async {
    while let field = next {
      do { await take(.success(try await field()), calls) } catch { await take(.failure(error), calls) }
    }
  }

  func of(_ schema: String) -> Self {
    self.schema = schema
    return self
  }

  package func answer(by calls: any BlockingCalls) async -> GraphQLResponse {
    await run(by: calls)
    return response
  }

  private var next: GraphQLRoot.Run? {
    guard case .accepted(let execution, _) = state else { return nil }
    return execution.next
  }

  /// The response. Traps unless `run` has ended.
  package var response: GraphQLResponse {
    guard case .answered(let response) = state else { preconditionFailure("it has not run") }
    return response
  }

  @inline(never)
  private func take(_ result: Result<GraphQLRoot.Output, any Error>, _ calls: any BlockingCalls) async {
    // The field was run, so its result is written even if `calls` has no room.
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
