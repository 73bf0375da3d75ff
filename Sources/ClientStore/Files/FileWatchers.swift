// The watchers of each file, and of all files.

import WireFormat

/// Wakes watchers. They look up the state themselves, so that even a slow one gets the newest state.
struct FileWatchers {
  private var next = 0
  /// By hash, in whatever queue: the bytes of a file come and go for all queues together.
  private var byHash: [ContentHash: [Int: Effects.Wake]] = [:]
  private var ofAll: [Int: Effects.Wake] = [:]

  mutating func add(_ hash: ContentHash?, _ wake: @escaping Effects.Wake) -> Int {
    next += 1
    if let hash { byHash[hash, default: [:]][next] = wake } else { ofAll[next] = wake }
    return next
  }

  mutating func remove(_ hash: ContentHash?, _ number: Int) {
    guard let hash else {
      ofAll[number] = nil
      return
    }
    byHash[hash]?[number] = nil
    if byHash[hash]?.isEmpty == true { byHash[hash] = nil }
  }

  func wakeAll(_ effects: inout Effects) {
    for wakes in byHash.values { wake(wakes, &effects) }
    wake(ofAll, &effects)
  }

  func wake(_ hash: ContentHash, _ effects: inout Effects) {
    wake(byHash[hash] ?? [:], &effects)
    wake(ofAll, &effects)
  }

  private func wake(_ wakes: [Int: Effects.Wake], _ effects: inout Effects) {
    for (number, wake) in wakes { effects.wake(.observer(number), wake) }
  }
}
