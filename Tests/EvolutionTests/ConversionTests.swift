// Apps of three versions edit one object, some of them late: whoever writes last is read by all, and nothing is lost.

import ModelTypes
import TestSupport
import Testing
import WireFormat

@Suite struct ConversionTests {
  @Test(arguments: SeedRange.of(40)) func lastWriterIsReadByAllVersions(seed: UInt64) throws {
    var world = ChoreWorld(seed: seed)
    for _ in 0..<120 { try world.step() }
  }

  @Test func everythingHappens() throws {
    var counts: [String: Int] = [:]
    for seed in 1...10 as ClosedRange<UInt64> {
      var world = ChoreWorld(seed: seed)
      for _ in 0..<120 { try world.step() }
      counts.merge(world.counts, uniquingKeysWith: +)
    }
    for event in [
      "late commit", "nothing to say", "written by 1.0", "written by 2.0", "written by 3.0",
      "finer than the older value",
      "unknown to the older value", "element of an older app", "place of parts",
    ] {
      #expect(counts[event, default: 0] > 0, "\(event): \(counts)")
    }
  }
}

/// Values of ephemeral models, which apps of two versions show to each other.
@Suite struct EphemeralConversionTests {
  @Test func eachVersionReadsTheOther() throws {
    let chore = C0Chore.ID.new().rawValue
    var newer = C1Doing.zero
    #expect(newer.tools == [] && newer.part == nil)
    try newer.merge(C0Doing(chore: .init(chore), step: 3, tool: "saw axe").encoded())
    #expect(newer.part == 3 && newer.tools == ["saw", "axe"])
    var older = C0Doing.zero
    try older.merge(C1Doing(chore: .init(chore), part: 7, tools: ["axe"]).encoded())
    #expect(older.step == 7 && older.tool == "axe" && older.queueID == newer.queueID)
  }
}

/// A server with one object, and devices of three versions that edit it.
private struct ChoreWorld {
  let seed: UInt64
  var random: SeededRandom
  /// What the server has.
  var content: [UInt8] = []
  /// What each device has seen; its version is its place modulo 3.
  var devices: [[UInt8]] = Array(repeating: [], count: 6)
  var counts: [String: Int] = [:]

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed)
  }

  mutating func step() throws {
    let device = random.below(devices.count)
    if random.chance(60) { devices[device] = content }
    switch device % 3 {
    case 0: try edit(C0Chore.self, device)
    case 1: try edit(C1Chore.self, device)
    default: try edit(C2Chore.self, device)
    }
    try checkVersions()
  }

  private mutating func count(_ event: String) { counts[event, default: 0] += 1 }

  private mutating func edit<Version: ChoreVersion>(_: Version.Type, _ device: Int) throws {
    let group = random.pick(Group.allCases)
    let before = try chore(Version.self, devices[device])
    var after = before
    after.write(group, &random)
    let patch = try after.changes(since: before)
    let seen = devices[device]
    devices[device] = try patch.merged(into: seen)
    guard !patch.isEmpty else { return count("nothing to say") }
    count("written by \(device % 3 + 1).0")
    if seen != content { count("late commit") }
    let others = try readings(content, but: group)
    let labels = try (labels(), chore(C0Chore.self, content).label)
    let (wasInSet, sawInSet) = try (elements(content), elements(seen))
    content = try patch.merged(into: content)
    let now = try chore(Version.self, content)
    if group == .labels {
      let (was, wasOld) = labels
      let (shown, isOld) = try (self.labels(), chore(C0Chore.self, content).label)
      let (inserted, removed) = Self.change(before, after)
      #expect(inserted.isSubset(of: shown), "seed \(seed): \(inserted) was inserted")
      // What an older app takes away stays in the set; and a newer one has seen the element of the older value in it.
      if Version.self != C0Chore.self {
        // An element that only the older value had may have come into the set meanwhile, with an insert.
        let others = Set([isOld].compactMap(\.self)).union(wasInSet.subtracting(sawInSet))
        #expect(removed.intersection(shown).isSubset(of: others), "seed \(seed): \(removed) was removed")
      }
      let seenOld = try chore(C0Chore.self, seen).label
      let allowed = inserted.union(removed).union([wasOld, isOld, seenOld].compactMap(\.self))
      #expect(shown.symmetricDifference(was).isSubset(of: allowed), "seed \(seed): others stay")
      if isOld.map({ !shown.isEmpty && shown.first != $0 }) == true { count("element of an older app") }
    } else if group == .place, Version.self != C2Chore.self {
      // Two fields of one version are two fields. Another one may have changed one of them meanwhile.
      count("place of parts")
    } else {
      #expect(now.own(group) == after.own(group), "seed \(seed): \(group) as version \(device % 3) wrote it")
    }
    #expect(try readings(content, but: group) == others, "seed \(seed): \(group) was written, and nothing else")
  }

  /// What each version reads, of all values but one.
  private func readings(_ content: [UInt8], but group: Group? = nil) throws -> [String] {
    let versions: [any ChoreVersion] = try [
      chore(C0Chore.self, content), chore(C1Chore.self, content), chore(C2Chore.self, content),
    ]
    return versions.flatMap { version in Group.allCases.filter { $0 != group }.map(version.own) }
  }

  /// Every version says the same to the oldest one, and writes the bytes again as they were.
  private mutating func checkVersions() throws {
    let oldest = try chore(C0Chore.self, content)
    let (middle, newest) = try (chore(C1Chore.self, content), chore(C2Chore.self, content))
    for group in Group.allCases {
      let agrees = middle.agrees(group) && newest.agrees(group)
      #expect(agrees, "seed \(seed): what newer apps read of \(group) does not agree with \(oldest.own(group))")
      #expect(middle.old(group) == oldest.old(group), "seed \(seed): \(group)")
      #expect(newest.old(group) == oldest.old(group), "seed \(seed): \(group)")
    }
    for version in [oldest, middle, newest] as [any ChoreVersion] {
      // A version writes zeros where a field that it requires is absent. They mean the same.
      let again = try version.encoded()
      #expect(try readings(again) == readings(content), "seed \(seed): \(type(of: version)) loses what it reads")
    }
    if let time = newest.dueAt, time.millisecondsSince1970 % DayText.day != 0 { count("finer than the older value") }
    if case .unknown(let number) = middle.state, number != 0 { count("unknown to the older value") }
    // Through its older value a value keeps its meaning: it is converted there and back.
    #expect(middle.dueAt == newest.dueAt && middle.first == newest.first && middle.owners == newest.owners)
  }

  /// What is in the set itself.
  private func elements(_ content: [UInt8]) throws -> Set<String> {
    Set(try chore(C2Chore.self, content).__labels)
  }

  private func labels() throws -> Set<String> { Set(try chore(C2Chore.self, content).labels) }

  private static func change(_ before: some ChoreVersion, _ after: some ChoreVersion) -> (Set<String>, Set<String>) {
    func labels(_ chore: some ChoreVersion) -> Set<String> {
      switch chore {
      case let chore as C0Chore: Set([chore.label].compactMap(\.self))
      case let chore as C1Chore: Set(chore.labels)
      case let chore as C2Chore: Set(chore.labels)
      default: []
      }
    }
    let (old, new) = (labels(before), labels(after))
    return (new.subtracting(old), old.subtracting(new))
  }

  private func chore<Version: ChoreVersion>(_: Version.Type, _ content: [UInt8]) throws -> Version {
    try Version(id: ObjectID(UUIDValue(high: 0x4000, low: 1 << 63)), blob: content)
  }
}
