// Notifies live values: at once of what the user does, by a task of what happens elsewhere.

import Determinism

/// The live values of a store that have changed, and whose observers do not know it yet.
final class LiveNews: Sendable {
  private let environment: RuntimeEnvironment
  private let waiting = Locked(Waiting())
  @MainActor private var isTelling = false

  private struct Waiting {
    var values: Set<ObjectIdentifier> = []
    var tells: [@MainActor @Sendable () -> Void] = []
  }

  init(_ environment: RuntimeEnvironment) { self.environment = environment }

  /// Notes a change of a value, unless its observers are to be told of another one already. Calls no observer, because
  /// every thread may call this.
  func add(_ value: ObjectIdentifier, _ tell: @escaping @MainActor @Sendable () -> Void) {
    // In one step: who finds the value here finds what tells of it, too.
    let isFirst = waiting.withLock { waiting in
      guard waiting.values.insert(value).inserted else { return false }
      waiting.tells.append(tell)
      return waiting.tells.count == 1
    }
    if isFirst { environment.spawn { await self.tell() } }
  }

  var isEmpty: Bool { waiting.withLock { $0.tells.isEmpty } }

  /// Calls the observers. Of what they change themselves a task tells, so that two of them cannot call each other without
  /// end.
  @MainActor
  func tell() {
    if isTelling { return }
    isTelling = true
    defer { isTelling = false }
    let tells = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.tells
    }
    for tell in tells { tell() }
  }
}

extension ModelStore {
  /// Notifies observers before a call of the app returns, if it is made on the main actor. SwiftUI takes the animation of
  /// `withAnimation` from the turn in which it is notified. Elsewhere the task of `add` does it.
  ///
  /// Call it last, and under no lock: observers may do anything. Inside of a call that holds the store's lock it does
  /// nothing, and that call does it.
  func tellLiveValues() {
    guard !liveNews.isEmpty, MainQueue.isCurrent, !memory.isHeldHere else { return }
    MainActor.assumeIsolated { liveNews.tell() }
  }
}
