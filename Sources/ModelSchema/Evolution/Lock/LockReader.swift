// Reads a lock that may have been edited, merged or damaged.

struct LockReader {
  let source: SourceFile
  let findings: Findings

  private static let mostReleases = 10_000

  /// The lock; nil after a mistake, which is reported.
  func read() -> SchemaLock? {
    guard source.bytes.count <= SchemaLock.mostBytes, UTF8Check.firstError(in: source.bytes) == nil else {
      return damaged(.whole(source.path), "it is not UTF-8, or longer than 64 MiB")
    }
    let text = String(decoding: source.bytes, as: UTF8.self)
    // By bytes, because that is fast; git may have checked the file out with `\r\n`.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
    if let mark = lines.firstIndex(where: ConflictMark.begins) {
      findings.report(
        .lockConflict,
        "A merge left both sides in the lock, because both branches have released. Take the lock of the version that "
          + "has shipped (`git checkout --ours` or `--theirs`), then release the merged schema under a higher version.",
        at: range(mark, lines[mark]))
      return nil
    }
    guard var lock = head(lines) else { return nil }
    var sums: [UInt64] = []
    var known: [Substring: [ClosedRange<Int>]] = [:]
    for (index, line) in lines.enumerated().dropFirst(2) where !line.isEmpty {
      if line.hasPrefix("release ") {
        guard let sum = release(line, &lock) else { return damaged(range(index, line), "this line names no release") }
        sums.append(sum)
      } else {
        guard fact(line, &lock, &known) else { return damaged(range(index, line), "this line is not a fact") }
      }
    }
    for (index, (sum, expected)) in zip(lock.checksums(), sums).enumerated() where sum != expected {
      let release = lock.releases[index]
      return damaged(.whole(source.path), "its facts of the release \(release) are not those that were released")
    }
    return lock
  }

  /// Reads the heading and the name of the schema.
  private func head(_ lines: [Substring]) -> SchemaLock? {
    guard let heading = lines.first, heading.hasPrefix(SchemaLock.heading), lines.count > 1,
      lines[1].hasPrefix("schema ")
    else { return damaged(.whole(source.path), "it does not begin like a lock") }
    let version = heading.dropFirst(SchemaLock.heading.count).prefix { $0 != ":" }
    guard Int(version) == SchemaLock.version else {
      findings.report(
        .lockNewer,
        "This lock has the version \(version) of its format, and this modelgen reads \(SchemaLock.version): "
          + "update modelgen.", at: range(0, heading.prefix { $0 != ":" }))
      return nil
    }
    return SchemaLock(schema: String(lines[1].dropFirst("schema ".count)))
  }

  /// Adds the release that a line names, and returns its checksum.
  private func release(_ line: Substring, _ lock: inout SchemaLock) -> UInt64? {
    let words = line.split(separator: " ")
    guard words.count == 3, let version = ReleaseVersion(words[1]), let sum = UInt64(words[2], radix: 16),
      lock.releases.last.map({ $0 < version }) ?? true, lock.facts.isEmpty, lock.releases.count < Self.mostReleases
    else { return nil }
    lock.releases.append(version)
    return sum
  }

  /// Adds the fact of a line: `1.0-1.3 KEY: VALUE`. `known` has the ranges that were read before: most lines have the same.
  private func fact(
    _ line: Substring, _ lock: inout SchemaLock, _ known: inout [Substring: [ClosedRange<Int>]]
  ) -> Bool {
    guard let space = line.firstIndex(of: " "), let ranges = known[line[..<space]] ?? ranges(line[..<space], lock)
    else { return false }
    known[line[..<space]] = ranges
    let rest = line[space...].drop { $0 == " " }
    // A key has no colon, and every value stands behind the first.
    guard let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else { return false }
    let value = rest[rest.index(after: colon)...].dropFirst()
    let key = String(rest[..<colon])
    let taken = lock.facts[key] ?? []
    guard !taken.contains(where: { $0.value == value || $0.overlaps(ranges) }) else { return false }
    lock.facts[key, default: []].append(LockedFact(value: String(value), releases: ranges))
    return true
  }

  private func ranges(_ text: Substring, _ lock: SchemaLock) -> [ClosedRange<Int>]? {
    var result: [ClosedRange<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count <= 2, let first = index(ends[0], lock),
        let last = ends.count == 1 ? lock.releases.count - 1 : index(ends[1], lock), first <= last,
        result.last.map({ $0.upperBound < first }) ?? true
      else { return nil }
      result.append(first...last)
    }
    return result
  }

  private func index(_ text: Substring, _ lock: SchemaLock) -> Int? {
    guard let version = ReleaseVersion(text) else { return nil }
    return lock.releases.firstIndex(of: version)
  }

  private func range(_ index: Int, _ line: Substring) -> SourceRange {
    SourceRange(
      file: source.path, start: SourcePosition(line: index + 1, column: 1),
      end: SourcePosition(line: index + 1, column: line.unicodeScalars.count + 1))
  }

  private func damaged(_ place: SourceRange, _ reason: String) -> SchemaLock? {
    findings.report(
      .lockDamaged, "The lock is not as `modelgen release` wrote it: \(reason). Take the file from git again.",
      at: place)
    return nil
  }

  private func damaged(_ place: SourceRange, _ reason: String) -> UInt64? {
    let _: SchemaLock? = damaged(place, reason)
    return nil
  }
}

extension LockedFact {
  fileprivate func overlaps(_ ranges: [ClosedRange<Int>]) -> Bool {
    releases.contains { range in ranges.contains { $0.overlaps(range) } }
  }
}
