// The three versions of a chore, so that one test can treat them alike.

import ModelTypes
import TestSupport
import WireFormat

/// A value that three versions of the schema hold as different types.
enum Group: String, CaseIterable {
  case due, count, status, owner, mood, name, place, weight, labels, spot, title
}

/// A chore as one version of the app sees it.
protocol ChoreVersion: Model {
  /// What this version reads.
  func own(_ group: Group) -> String
  /// What it shows to apps of version 1.0.
  func old(_ group: Group) -> String
  /// Whether what this version reads is what the older fields say, in the type of this version.
  func agrees(_ group: Group) -> Bool
  /// Changes the value as an app of this version does.
  mutating func write(_ group: Group, _ random: inout SeededRandom)
}

extension SeededRandom {
  fileprivate mutating func word() -> String {
    pick(["", "red", "blue", "open", "done", "dropped", "Ada", "Ada Byron"])
  }
  fileprivate mutating func wordIfAny() -> String? { chance(25) ? nil : word() }
  fileprivate mutating func user() -> UserID { UserID(UUIDValue(high: 0x4000, low: 1 << 63 | UInt64(below(5)))) }
  fileprivate mutating func time() -> Timestamp { Timestamp(millisecondsSince1970: Int64(below(4 * 86_400_000))) }
  fileprivate mutating func number() -> Int64 { pick([0, 1, 7, -3, Int64(Int32.max), 3_000_000_000, -1 << 40]) }
}

private func text(_ value: some Any) -> String { "\(value)" }

extension C0Chore: ChoreVersion {
  func agrees(_ group: Group) -> Bool { true }

  func own(_ group: Group) -> String { old(group) }

  func old(_ group: Group) -> String {
    switch group {
    case .due: text(due as Any)
    case .count: text(count)
    case .status: text(status)
    case .owner: text(owner as Any)
    case .mood: text(mood as Any)
    case .name: text(name)
    case .place: text((latitude, longitude))
    case .weight: text(weight)
    case .labels: text(label as Any)
    case .spot: text(spot?.floor as Any)
    case .title: title
    }
  }

  mutating func write(_ group: Group, _ random: inout SeededRandom) {
    switch group {
    case .due: due = random.chance(25) ? nil : "\(random.below(4))"
    case .count: count = Int32(clamping: random.number())
    case .status: status = random.word()
    case .owner: owner = random.chance(25) ? nil : random.user()
    case .mood: mood = random.wordIfAny()
    case .name: name = random.word()
    case .place: (latitude, longitude) = (Double(random.below(3)), Double(random.below(3)))
    case .weight: weight = Float(random.below(5)) / 3
    case .labels: label = random.wordIfAny()
    case .spot: spot = random.chance(25) ? nil : Spot(floor: Int32(random.below(3)))
    case .title: title = random.word()
    }
  }
}

extension C1Chore: ChoreVersion {
  func agrees(_ group: Group) -> Bool {
    switch group {
    case .due: DayText.text(dueAt) == _due
    case .count: Int32(clamping: total) == _count
    case .status: knownCases.contains(_status) ? "\(state)" == _status : state == .open || isUnknown(state)
    // An owner that an older app takes away is gone; the others are still there.
    case .owner: _owner == nil || owners.first == _owner
    case .mood:
      _mood.map(knownCases.contains) == true ? feeling.map { "\($0)" } == _mood : feeling.map(isUnknown) ?? true
    case .name: NameText.name(first, last) == _name
    case .labels: _label.map(labels.contains) ?? true
    case .spot: (spot?.level).map { Int32(clamping: $0) } == spot?._floor
    case .place: true
    case .weight: true
    case .title: true
    }
  }

  private var knownCases: [String] { State.knownCases.map { "\($0)" } }
  private func isUnknown(_ state: State) -> Bool { !State.knownCases.contains(state) }

  func own(_ group: Group) -> String {
    switch group {
    case .due: text(dueAt as Any)
    case .count: text(total)
    case .status: text(state)
    case .owner: text(owners)
    case .mood: text(feeling as Any)
    case .name: text((first, last))
    case .place: text((latitude, longitude))
    case .weight: text(weight)
    case .labels: text(Array(labels))
    case .spot: text(spot?.level as Any)
    case .title: title
    }
  }

  func old(_ group: Group) -> String {
    switch group {
    case .due: text(_due as Any)
    case .count: text(_count)
    case .status: text(_status)
    case .owner: text(_owner as Any)
    case .mood: text(_mood as Any)
    case .name: text(_name)
    case .labels: text(_label as Any)
    case .spot: text(spot?._floor as Any)
    case .place, .weight, .title: own(group)
    }
  }

  mutating func write(_ group: Group, _ random: inout SeededRandom) {
    switch group {
    case .due: dueAt = random.chance(25) ? nil : random.time()
    case .count: total = random.number()
    case .status: state = random.pick([.open, .done])
    case .owner: owners = (0..<random.below(3)).map { _ in random.user() }
    case .mood: feeling = random.pick([nil, .open, .done])
    case .name: if random.chance(50) { first = random.word() } else { last = random.word() }
    case .place: (latitude, longitude) = (Double(random.below(3)), Double(random.below(3)))
    case .weight: weight = Float(random.below(5)) / 3
    case .labels: if random.chance(60) { labels.insert(random.word()) } else { labels.remove(random.word()) }
    case .spot: spot = random.chance(25) ? nil : Spot(level: random.number())
    case .title: title = random.word()
    }
  }
}

extension C2Chore: ChoreVersion {
  func agrees(_ group: Group) -> Bool {
    switch group {
    case .due: DayText.text(dueAt) == _due
    case .count: Int32(clamping: FieldConversion.whole(amount) as Int64) == _count
    case .status: knownCases.contains(_status) ? "\(state)" == _status : state == .open || isUnknown(state)
    // An owner that an older app takes away is gone; the others are still there.
    case .owner: _owner == nil || owners.first == _owner
    case .mood:
      _mood.map(knownCases.contains) == true ? feeling.map { "\($0)" } == _mood : feeling.map(isUnknown) ?? true
    case .name: NameText.name(first, last) == _name
    case .labels: _label.map(labels.contains) ?? true
    case .spot: (spot?.level).map { Int32(clamping: $0) } == spot?._floor
    case .place: (place?.latitude ?? 0, place?.longitude ?? 0) == (_latitude, _longitude)
    case .weight: Float(heft) == _weight
    case .title: true
    }
  }

  private var knownCases: [String] { State.knownCases.map { "\($0)" } }
  private func isUnknown(_ state: State) -> Bool { !State.knownCases.contains(state) }

  func own(_ group: Group) -> String {
    switch group {
    case .due: text(dueAt as Any)
    case .count: text(amount)
    case .status: text(state)
    case .owner: text(owners)
    case .mood: text(feeling as Any)
    case .name: text((first, last))
    case .place: text(place as Any)
    case .weight: text(heft)
    case .labels: text(Array(labels))
    case .spot: text(spot?.level as Any)
    case .title: title
    }
  }

  func old(_ group: Group) -> String {
    switch group {
    case .due: text(_due as Any)
    case .count: text(_count)
    case .status: text(_status)
    case .owner: text(_owner as Any)
    case .mood: text(_mood as Any)
    case .name: text(_name)
    case .place: text((_latitude, _longitude))
    case .weight: text(_weight)
    case .labels: text(_label as Any)
    case .spot: text(spot?._floor as Any)
    case .title: title
    }
  }

  mutating func write(_ group: Group, _ random: inout SeededRandom) {
    switch group {
    case .due: dueAt = random.chance(25) ? nil : random.time()
    case .count: amount = Double(random.number()) + random.pick([0, 0.25])
    case .status: state = random.pick([.open, .done, .dropped])
    case .owner: owners = (0..<random.below(3)).map { _ in random.user() }
    case .mood: feeling = random.pick([nil, .open, .done, .dropped])
    case .name: if random.chance(50) { first = random.word() } else { last = random.word() }
    case .place:
      let isNamed = random.chance(50)
      let (latitude, longitude) = (Double(random.below(3)), Double(random.below(3)))
      place =
        latitude == 0 && longitude == 0
        ? nil : Place(latitude: latitude, longitude: longitude, name: isNamed ? random.word() : nil)
    case .weight: heft = Double(random.below(5)) / 3
    case .labels: if random.chance(60) { labels.insert(random.word()) } else { labels.remove(random.word()) }
    case .spot: spot = random.chance(25) ? nil : Spot(level: random.number())
    case .title: title = random.word()
    }
  }
}
