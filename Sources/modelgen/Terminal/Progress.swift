// A progress line for long work. It is shown on a terminal only, and removed when the work is done.

import Commands

struct Progress {
  /// With fewer files the work is done before anyone could read the line.
  static let manyFiles = 200

  /// False with `--quiet`.
  var isWanted: Bool

  /// Shows that `count` of `total` files are done.
  func show(_ step: String, _ count: Int, of total: Int) {
    // Only every 64th, because writing to the terminal takes longer than a small file.
    if count & 63 == 0, isShown(total) { Terminal.transient("\(step) \(count) of \(total) files") }
  }

  /// Shows a step that reports no progress until it is done.
  func show(_ step: String, files: Int) {
    if isShown(files) { Terminal.transient("\(step) \(files) files") }
  }

  /// Removes the line. Called before text is written that stays.
  func finish(files: Int) {
    if isShown(files) { Terminal.transient("") }
  }

  private func isShown(_ files: Int) -> Bool {
    isWanted && files >= Self.manyFiles && Terminal.isInteractive
  }
}
