// The decisions that wait, by queue: each queue is written by one thread at a time.

import DequeModule
import Foundation
import SyncServer
import WireFormat

/// Otherwise many threads would wait in PostgreSQL for the lock of one busy queue, each with a connection.
///
/// `@unchecked Sendable`: its lock guards all state.
final class WriteLanes: @unchecked Sendable {
  private let lock = NSLock()
  /// The lanes that somebody writes, with what waits in them.
  private var lanes: [QueueID: Deque<QueuedDecision>] = [:]
  private var countOfUser: [UserID?: Int] = [:]
  private var count = 0

  /// The most decisions that wait, and the most of one user.
  private static let capacity = 10_000
  private static let capacityOfUser = capacity / 4

  enum Place {
    /// The caller has to write the lane.
    case free
    /// Somebody writes the lane, and will find the decision.
    case taken
    /// Too many wait.
    case full
  }

  func add(_ decision: QueuedDecision, to queue: QueueID) -> Place {
    lock.withLock {
      let isFull = count >= Self.capacity || countOfUser[decision.user, default: 0] >= Self.capacityOfUser
      if isFull, decision.user != nil { return .full }
      let isFree = lanes[queue] == nil
      lanes[queue, default: Deque()].append(decision)
      countOfUser[decision.user, default: 0] += 1
      count += 1
      return isFree ? .free : .taken
    }
  }

  /// Takes the next decisions of a lane, at most so many of one user while others wait.
  func take(of queue: QueueID, atMost limit: Int, ofOneUser: Int) -> [QueuedDecision] {
    lock.withLock {
      guard let lane = lanes[queue], !lane.isEmpty else { return [] }
      let isShared = lane.contains { $0.user != lane[0].user }
      var (taken, left): ([QueuedDecision], Deque<QueuedDecision>) = ([], Deque())
      var ofUser: [UserID?: Int] = [:]
      for decision in lane {
        if taken.count < limit, !isShared || ofUser[decision.user, default: 0] < ofOneUser {
          ofUser[decision.user, default: 0] += 1
          taken.append(decision)
        } else {
          left.append(decision)
        }
      }
      lanes[queue] = left
      forget(taken)
      return taken
    }
  }

  /// Frees a lane in which nothing waits any more. Returns whether it is free.
  func leave(_ queue: QueueID) -> Bool {
    lock.withLock {
      guard lanes[queue]?.isEmpty != false else { return false }
      lanes[queue] = nil
      return true
    }
  }

  /// The user whose decision is next in a lane; nil for the server itself, or if none waits.
  func nextUser(of queue: QueueID) -> UserID? { lock.withLock { lanes[queue]?.first?.user } }

  func hasDecisions(of queue: QueueID, besides user: UserID) -> Bool {
    lock.withLock { lanes[queue]?.contains { $0.user != user } ?? false }
  }

  private func forget(_ taken: [QueuedDecision]) {
    count -= taken.count
    for decision in taken {
      countOfUser[decision.user, default: 0] -= 1
      if countOfUser[decision.user] == 0 { countOfUser[decision.user] = nil }
    }
    assert(count >= 0 && countOfUser.values.allSatisfy { $0 > 0 }, "only decisions that wait are counted")
  }
}
