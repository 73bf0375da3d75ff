// A line that says how far a long step has come: on a terminal only, and only once it takes long.

struct Progress {
  /// Below this, a line would only flicker.
  private static let patience = Duration.milliseconds(700)

  private let title: String
  private let total: Int
  private let start = ContinuousClock.now
  private var isShown = false

  init(_ title: String, total: Int) {
    self.title = title
    self.total = total
  }

  mutating func reached(_ count: Int) {
    // Every 64th: the clock and the terminal cost more than a small file.
    guard count & 63 == 0, Terminal.isInteractive, ContinuousClock.now - start > Self.patience else { return }
    isShown = true
    Terminal.transient("\(title) \(count) of \(total)")
  }

  func finish() {
    if isShown { Terminal.transient("") }
  }
}
