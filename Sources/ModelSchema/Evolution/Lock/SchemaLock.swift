// The lock of a schema folder: the facts of every released version (docs/formats/lock-format.md).

/// What the released versions of a schema say.
public struct SchemaLock: Hashable, Sendable {
  public static let fileName = "modelgen.lock"
  /// The longest lock that is read: more than any schema needs.
  public static let mostBytes = 64 << 20

  /// The name of the schema, such as `Moments`.
  public let schema: String
  /// Ascending.
  public internal(set) var releases: [ReleaseVersion] = []
  /// By key; in the order of the releases that they begin with.
  var facts: [String: [LockedFact]] = [:]

  public init(schema: String) {
    self.schema = schema
  }

  /// Adds a release of a valid schema. Its version is above all others.
  public mutating func release(_ version: ReleaseVersion, _ schema: Schema) {
    release(version, SchemaFacts(schema))
  }

  mutating func release(_ version: ReleaseVersion, _ new: SchemaFacts) {
    precondition(releases.last.map { $0 < version } ?? true, "the caller has compared the versions")
    let number = releases.count
    releases.append(version)
    for (key, value) in new.values { facts[key, default: []].hold(value, in: number) }
  }

  /// A schema that was never released, as if it were the only release, under a name for people.
  public init(of schema: Schema, called name: String) {
    self.init(schema: schema.name)
    release(ReleaseVersion(unreleased: name), SchemaFacts(schema))
  }

  /// The lock with one release only; nil where there is no such release.
  public func only(_ version: ReleaseVersion) -> SchemaLock? {
    guard let number = releases.firstIndex(of: version) else { return nil }
    var result = SchemaLock(schema: schema)
    result.releases = [releases[number]]
    for (key, values) in facts {
      guard let fact = values.first(where: { $0.holds(in: number) }) else { continue }
      result.facts[key] = [LockedFact(value: fact.value, releases: [0...0])]
    }
    return result
  }

  /// The value of a fact in the newest release.
  func newest(_ key: String) -> String? {
    facts[key]?.first { $0.holds(in: releases.count - 1) }?.value
  }

  /// The number of facts of each release, and their checksums.
  func checksums() -> [UInt64] {
    // Each fact is hashed once: added where a range of releases begins, subtracted behind its end.
    var steps = [UInt64](repeating: 0, count: releases.count + 1)
    for (key, values) in facts {
      for fact in values {
        let hash = FactChecksum.of(key, fact.value)
        for range in fact.releases {
          steps[range.lowerBound] &+= hash
          steps[range.upperBound + 1] &-= hash
        }
      }
    }
    var sum = FactChecksum.of("schema", schema)
    return steps.dropLast().map { step in
      sum &+= step
      return sum
    }
  }
}

/// A value of a fact, and the releases in which it is true.
struct LockedFact: Hashable, Sendable {
  var value: String
  /// Indices of releases: ascending, without overlap, never empty.
  var releases: [ClosedRange<Int>]

  func holds(in release: Int) -> Bool { releases.contains { $0.contains(release) } }
}

extension [LockedFact] {
  /// Notes that the fact has this value in the release behind all those that were noted.
  fileprivate mutating func hold(_ value: String, in release: Int) {
    guard let index = firstIndex(where: { $0.value == value }) else {
      append(LockedFact(value: value, releases: [release...release]))
      return
    }
    let last = self[index].releases.count - 1
    let range = self[index].releases[last]
    if range.upperBound == release - 1 {
      self[index].releases[last] = range.lowerBound...release
    } else {
      self[index].releases.append(release...release)
    }
  }
}
