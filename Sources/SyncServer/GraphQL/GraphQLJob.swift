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
    let run = Run(state)
    while let field = run.next {
      do { run.take(.success(try await field())) } catch { run.take(.failure(error)) }
    }
    return run.response
  }

  /// The state as a reference, so that the frame that waits holds no more.
  private final class Run {
    private var state: State

    init(_ state: State) { self.state = state }

    var next: GraphQLRoot.Run? {
      guard case .accepted(let execution, _) = state else { return nil }
      return execution.next
    }

    func take(_ result: Result<JSONValue, any Error>) {
      guard case .accepted(var execution, let source) = state else { return }
      execution.take(result)
      state = .accepted(execution, source: source)
    }

    var response: GraphQLResponse {
      switch state {
      case .refused(let response): response
      case .accepted(let execution, let source): GraphQLResponse(execution, source)
      }
    }
  }
}
