// A line that says how far long work has come: for a person at a terminal only, gone when the work is done.

import Commands

struct Progress {
  /// Fewer files are done before anyone could read the line.
  static let manyFiles = 200

  /// False with `--quiet`.
  var isWanted: Bool

  /// `count` of `total` files are done.
  func show(_ step: String, _ count: Int, of total: Int) {
    // Every 64th: the terminal costs more than a small file.
    if count & 63 == 0, isShown(total) { Terminal.transient("\(step) \(count) of \(total) files") }
  }

  /// A step of which nothing is known until it is done.
  func show(_ step: String, files: Int) {
    if isShown(files) { Terminal.transient("\(step) \(files) files") }
  }

  /// Takes the line away, before anything that stays is written.
  func finish(files: Int) {
    if isShown(files) { Terminal.transient("") }
  }

  private func isShown(_ files: Int) -> Bool {
    isWanted && files >= Self.manyFiles && Terminal.isInteractive
  }
}
