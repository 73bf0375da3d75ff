// The watchers of each file, and of all files.

import SyncProtocol

/// Wakes watchers. They look up the state themselves, so that even a slow one gets the newest state.
struct FileWatchers {
  typealias Wake = @Sendable () -> Void

  private var next = 0
  private var byPlace: [FileKey: [Int: Wake]] = [:]
  private var ofAll: [Int: Wake] = [:]

  mutating func add(_ place: FileKey?, _ wake: @escaping Wake) -> Int {
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

  func wakeAll() {
    for wakes in byPlace.values { for wake in wakes.values { wake() } }
    for wake in ofAll.values { wake() }
  }

  func wake(_ place: FileKey) {
    for wake in byPlace[place]?.values ?? [:].values { wake() }
    for wake in ofAll.values { wake() }
  }
}
