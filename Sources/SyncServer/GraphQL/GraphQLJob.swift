// A request that was read: what is left of it while it runs, which may be as long as a poll waits.

import SyncProtocol

package struct GraphQLJob: Sendable {
  private let state: State

  private enum State {
    /// Nothing of it is executed.
    case refused(GraphQLResponse)
    case accepted(GraphQLExecution, source: [UInt8])
  }

  init(refusing errors: [GraphQLError], source: [UInt8] = []) {
    state = .refused(GraphQLResponse(errors: errors, source: source))
  }

  init(_ execution: GraphQLExecution, source: [UInt8]) { state = .accepted(execution, source: source) }

  /// The fields at the top that are to be executed.
  package var calls: [String] {
    switch state {
    case .refused: []
    case .accepted(let execution, _): execution.calls
    }
  }

  /// Thousands are in here at a time: what waits has little on its stack, since the execution takes values and waits for
  /// none.
  package func answer() async -> GraphQLResponse {
    switch state {
    case .refused(let response): return response
    case .accepted(var execution, let source):
      while let run = execution.next {
        do { execution.take(.success(try await run())) } catch { execution.take(.failure(error)) }
      }
      return GraphQLResponse(execution, source)
    }
  }
}
