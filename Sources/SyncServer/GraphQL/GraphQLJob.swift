// A request that was read: what is left of it while it runs, which may be as long as a poll waits.

import SyncProtocol

/// A class, so that a frame that waits holds no more of it than a reference. `@unchecked Sendable`: reached by the task of
/// its request only.
package final class GraphQLJob: @unchecked Sendable {
  private var state: State

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
    while let field = next {
      do { take(.success(try await field())) } catch { take(.failure(error)) }
    }
    return response
  }

  private var next: GraphQLRoot.Run? {
    guard case .accepted(let execution, _) = state else { return nil }
    return execution.next
  }

  @inline(never)
  private func take(_ result: Result<JSONValue, any Error>) {
    guard case .accepted(var execution, let source) = state else { return }
    execution.take(result)
    state = .accepted(execution, source: source)
  }

  private var response: GraphQLResponse {
    switch state {
    case .refused(let response): response
    case .accepted(let execution, let source): GraphQLResponse(execution, source)
    }
  }
}
