// The watchers of each file, and of all files.

import SyncProtocol

/// Wakes watchers. They look up the state themselves, so that even a slow one gets the newest state.
struct FileWatchers {
  private var next = 0
  private var byPlace: [FileKey: [Int: Effects.Wake]] = [:]
  private var ofAll: [Int: Effects.Wake] = [:]

  mutating func add(_ place: FileKey?, _ wake: @escaping Effects.Wake) -> Int {
    next += 1
    if let place { byPlace[place, default: [:]][next] = wake } else { ofAll[next] = wake }
    return next
  }

  mutating func remove(_ place: FileKey?, _ number: Int) {
    guard let place else {
      ofAll[number] = nil
      return
    }
    byPlace[place]?[number] = nil
    if byPlace[place]?.isEmpty == true { byPlace[place] = nil }
  }

  func wakeAll(_ effects: inout Effects) {
    for wakes in byPlace.values { wake(wakes, &effects) }
    wake(ofAll, &effects)
  }

  func wake(_ place: FileKey, _ effects: inout Effects) {
    wake(byPlace[place] ?? [:], &effects)
    wake(ofAll, &effects)
  }

  private func wake(_ wakes: [Int: Effects.Wake], _ effects: inout Effects) {
    for (number, wake) in wakes { effects.wake(.observer(number), wake) }
  }
}
