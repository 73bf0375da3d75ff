// The option `--since` of `restore` and `change-history`.

import ArgumentParser
import Determinism
import Foundation
import WireFormat

struct SinceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The time back to which the server may have lost what it acknowledged, such as 2026-01-31T08:05:00Z. Earlier \
      costs traffic, later loses writes. (default: ten minutes before the newest operation in the database)
      """, valueName: "time"),
    transform: Timestamp.init(text:))
  var since: Timestamp?
}

extension Timestamp {
  /// Reads a time in UTC as people write it, with or without a fraction. Throws for one that lies ahead, as when a local
  /// time is given.
  fileprivate init(text: String) throws {
    let date = [false, true].lazy.compactMap {
      try? Date.ISO8601FormatStyle(includingFractionalSeconds: $0).parse(text)
    }
    guard text.hasSuffix("Z"), let seconds = date.first?.timeIntervalSince1970 else {
      throw ValidationError("a time is written as 2026-01-31T08:05:00Z.")
    }
    self.init(millisecondsSince1970: Int64((seconds * 1_000).rounded(.down)))
    guard millisecondsSince1970 <= RuntimeEnvironment.current.nowMilliseconds() else {
      throw ValidationError("the time lies ahead.")
    }
  }
}
