// The functions that the schema with conversions names (Tests/EvolutionFixtures/Conversions/chore.txt), for each version.

import ModelTypes
import WireFormat

/// Days since 1970 as a text. It knows no hours, so a time says more than its day.
enum DayText {
  static let day: Int64 = 86_400_000

  static func time(_ text: String?) -> Timestamp? {
    text.flatMap { Int64($0) }.map { Timestamp(millisecondsSince1970: $0 * day) }
  }

  static func text(_ time: Timestamp?) -> String? {
    time.map { "\(($0.millisecondsSince1970 - ($0.millisecondsSince1970 % day + day) % day) / day)" }
  }
}

enum NameText {
  static func parts(_ name: String) -> (first: String, last: String) {
    guard let space = name.firstIndex(of: " ") else { return (name, "") }
    return (String(name[..<space]), String(name[name.index(after: space)...]))
  }

  static func name(_ first: String, _ last: String) -> String { last.isEmpty ? first : "\(first) \(last)" }
}

enum ToolText {
  static func tools(_ text: String?) -> [String] { text?.split(separator: " ").map(String.init) ?? [] }

  static func text(_ tools: [String]) -> String? { tools.isEmpty ? nil : tools.joined(separator: " ") }
}

extension C1Chore {
  static func dueFromText(due: String?) -> Timestamp? { DayText.time(due) }
  static func dueFromText(dueAt: Timestamp?) -> String? { DayText.text(dueAt) }
  static func nameParts(name: String) -> (first: String, last: String) { NameText.parts(name) }
  static func nameParts(first: String, last: String) -> String { NameText.name(first, last) }
}

extension C1Ballot {
  static func choiceOfYes(isYes: Bool) -> C1Ballot.Choice { isYes ? .yes : .no }
  static func choiceOfYes(choice: C1Ballot.Choice) -> Bool { choice == .yes }
}

extension C2Chore {
  static func dueFromText(due: String?) -> Timestamp? { DayText.time(due) }
  static func dueFromText(dueAt: Timestamp?) -> String? { DayText.text(dueAt) }
  static func nameParts(name: String) -> (first: String, last: String) { NameText.parts(name) }
  static func nameParts(first: String, last: String) -> String { NameText.name(first, last) }

  static func placeFromNumbers(latitude: Double, longitude: Double) -> C2Chore.Place? {
    latitude == 0 && longitude == 0 ? nil : C2Chore.Place(latitude: latitude, longitude: longitude)
  }

  static func placeFromNumbers(place: C2Chore.Place?) -> (latitude: Double, longitude: Double) {
    (place?.latitude ?? 0, place?.longitude ?? 0)
  }
}

extension C1Doing {
  static func toolsOfText(tool: String?) -> [String] { ToolText.tools(tool) }
  static func toolsOfText(tools: [String]) -> String? { ToolText.text(tools) }
}

extension C2Doing {
  static func toolsOfText(tool: String?) -> [String] { ToolText.tools(tool) }
  static func toolsOfText(tools: [String]) -> String? { ToolText.text(tools) }
}

extension C2Ballot {
  static func choiceOfYes(isYes: Bool) -> C2Ballot.Choice { isYes ? .yes : .no }
  static func choiceOfYes(choice: C2Ballot.Choice) -> Bool { choice == .yes }
}
