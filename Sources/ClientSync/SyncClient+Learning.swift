// Tells the machine about the state of the store.

import ClientStore

extension SyncClient {
  /// Tells the machine what has changed in the store. Called before each decision.
  func learn() {
    machine.learn(store.takeSyncNews(by: holder))
    if bounds.checksIndex { checkFacts() }
  }

  /// For tests: traps if the store has not told of a queue that has moved.
  private func checkFacts() {
    let all = store.places
    // A queue that has moved since `all` was read is in these news.
    let news = store.takeSyncNews(by: holder)
    machine.learn(news)
    let untold = all.filter { news.places[$0.key] == nil && machine.facts.places[$0.key] != $0.value }.keys
    // If another client has taken over, the store tells that one instead.
    guard (try? check()) != nil else { return }
    precondition(untold.isEmpty, "The store has not told where \(untold) stand.")
  }
}
