// Writes a lock.

extension SchemaLock {
  static let heading = "# modelgen lock "
  static let version = 1

  /// The text of the file: sorted, so that it is the same for the same releases.
  public var text: String {
    let sums = checksums()
    var lines = [
      Self.heading + "\(Self.version): what released versions of this schema say. "
        + "`modelgen release` writes it. Commit it; do not edit it.",
      "schema \(schema)",
    ]
    lines += zip(releases, sums).map { "release \($0) \(FactChecksum.hexadecimal($1))" }
    lines.append("")
    let entries = facts.sorted(byKey: \.key).flatMap { key, values in
      values.map { (ranges: text($0.releases), fact: "\(key): \($0.value)") }
    }
    let width = entries.map(\.ranges.utf8.count).max() ?? 0
    lines += entries.map { entry in
      entry.ranges + String(repeating: " ", count: min(width, 12) - min(entry.ranges.utf8.count, 12) + 1) + entry.fact
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// `1.0-1.3,2.0`: a range without an end goes on.
  private func text(_ ranges: [ClosedRange<Int>]) -> String {
    ranges.map { range in
      let first = "\(releases[range.lowerBound])"
      return range.upperBound == releases.count - 1 ? first : "\(first)-\(releases[range.upperBound])"
    }.joined(separator: ",")
  }
}
