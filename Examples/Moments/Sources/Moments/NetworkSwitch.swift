// A switch between the app and the network, to see what the app does in a tunnel.
import Foundation
import ModelRuntime
import Synchronization

/// The state that the switch gives the network.
public enum NetworkMode: String, Codable, Sendable {
  case offline, slow, on
}

public final class NetworkSwitch: Sendable {
  private let state = Mutex(State())

  private struct State {
    var mode = NetworkMode.on
    var watchers: [UUID: AsyncStream<NetworkMode>.Continuation] = [:]
  }

  public var mode: NetworkMode { state.withLock { $0.mode } }

  public func set(_ mode: NetworkMode) {
    state.withLock { state in
      state.mode = mode
      for watcher in state.watchers.values { watcher.yield(mode) }
    }
  }

  /// The mode now, and after each change. A slow reader gets only the newest.
  public var modes: AsyncStream<NetworkMode> {
    let (modes, watcher) = AsyncStream.makeStream(of: NetworkMode.self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    state.withLock { state in
      state.watchers[id] = watcher
      watcher.yield(state.mode)
    }
    watcher.onTermination = { [weak self] _ in
      // In a task of its own, because `set` may be yielding to this watcher under the lock.
      Task { self?.state.withLock { $0.watchers[id] = nil } }
    }
    return modes
  }
}

/// A transport that obeys the switch. Going offline cancels requests under way; a slow network delays each by 2 s.
struct SwitchedTransport: SyncTransport, FileTransport {
  let base: HTTPTransport
  let network: NetworkSwitch

  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    try await pass { try await base.post(body, timeoutMilliseconds: timeoutMilliseconds, didMove: didMove) }
  }

  func send(_ request: FileRequest) async throws -> FileAnswer { try await pass { try await base.send(request) } }

  func refreshCredentials() async throws { try await base.refreshCredentials() }

  private func pass<Answer: Sendable>(_ request: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    try await withThrowingTaskGroup(of: Answer?.self) { group in
      group.addTask {
        if network.mode == .slow { try await Task.sleep(for: .seconds(2)) }
        return try await request()
      }
      group.addTask {
        for await mode in network.modes where mode == .offline { break }
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let answer = first else { throw URLError(.notConnectedToInternet) }
      return answer
    }
  }
}
