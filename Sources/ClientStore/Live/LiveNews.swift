// Notifies live values: at once of what the user does, by a task of what happens elsewhere.

import Determinism

/// The live values of a store that have changed, and whose observers do not know it yet.
final class LiveNews: Sendable {
  private let environment: RuntimeEnvironment
  private let waiting = Locked<[@MainActor @Sendable () -> Void]>([])
  @MainActor private var isTelling = false

  init(_ environment: RuntimeEnvironment) { self.environment = environment }

  /// Notes a change. Calls no observer, because every thread may call this.
  func add(_ tell: @escaping @MainActor @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(tell)
      return waiting.count == 1
    }
    if isFirst { environment.spawn { await self.tell() } }
  }

  var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

  /// Calls the observers. Of what they change themselves a task tells, so that two of them cannot call each other without
  /// end.
  @MainActor
  func tell() {
    if isTelling { return }
    isTelling = true
    defer { isTelling = false }
    let tells = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
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
