// Checks two things outside of the server for the operator: room on the disk, and the clock.

import Logging

/// Logs each problem once when it begins, and once when it is over.
struct Surroundings {
  let disk: DiskSpace
  let logger: Logger
  private var isDiskLow = false
  private var isClockBehind = false

  /// How many milliseconds the clock may be behind without a warning. A clock that is corrected goes back by less.
  static let mostBehind: Int64 = 60_000

  init(disk: DiskSpace, logger: Logger) { (self.disk, self.logger) = (disk, logger) }

  /// `clockLag`: how far the clock is behind the newest time that the server has seen, in milliseconds.
  mutating func look(clockLag: Int64) {
    let (isLow, isBehind) = (disk.isLow, clockLag > Self.mostBehind)
    if isLow != isDiskLow {
      logger.warning(
        isLow
          ? "The disk is nearly full: \((disk.freeBytes ?? 0) >> 20) MB are free. Make room: changes that cannot be written wait on devices."
          : "The disk has room again.")
    }
    if isBehind != isClockBehind {
      logger.warning(
        isBehind
          ? "The clock is \(clockLag / 1_000) seconds behind the newest time that was seen, and the server's time stands still until then. Check whether it is set right."
          : "The clock is right again.")
    }
    (isDiskLow, isClockBehind) = (isLow, isBehind)
  }
}
