// Tells the machine how the store stands.

import ClientStore

extension SyncClient {
  /// Tells the machine what has changed in the store: before each decision.
  func learn() {
    machine.learn(store.takeSyncNews(by: holder))
    if bounds.checksIndex { checkFacts() }
  }

  /// Whether all was told, in tests.
  private func checkFacts() {
    let all = store.places
    // What has moved since is among the news of now.
    let news = store.takeSyncNews(by: holder)
    machine.learn(news)
    let untold = all.filter { news.places[$0.key] == nil && machine.facts.places[$0.key] != $0.value }.keys
    // Another client may have taken over meanwhile: it is told.
    guard (try? check()) != nil else { return }
    precondition(untold.isEmpty, "The store has not told where \(untold) stand.")
  }
}
