// The output of the victim, a line for each step. The test that kills the victim reads it.

import Dispatch
import Foundation

/// One line. Operations are named by their numbers, objects by the numbers of the operations that create them.
enum VictimLine: Hashable, Sendable {
  case opening, opened
  /// About to be performed. Printed before that, so that no unknown operation is ever found.
  case performing(Int64, Action, objects: [Int64])
  case performed(Int64, atNanoseconds: UInt64)
  /// Its `waitUntilSaved()` returned, so many nanoseconds after it was performed.
  case saved(Int64, afterNanoseconds: UInt64)
  /// About to be cancelled.
  case cancelling([Int64])
  /// Marked as sent on disk, and about to be sent.
  case sent([Int64])
  /// A delta up to this cursor is on disk.
  case revealed(Int64)
  /// The report is about to be dismissed.
  case dismissing(Int64)

  enum Action: String, CaseIterable, Sendable {
    case createPage, markPages, deletePage, createScrap, markScrap, deleteScrap
    /// An edit of a page that does not exist.
    case refused
  }

  /// The uptime of the machine, the same in every process.
  static var nowNanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension VictimLine {
  /// Writes the line in one system call, so that a kill leaves whole lines. A pipe takes up to 512 bytes at once.
  func write() {
    let bytes = Data((text + "\n").utf8)
    precondition(bytes.count <= 512)
    FileHandle.standardOutput.write(bytes)
  }

  var text: String {
    switch self {
    case .opening: "opening"
    case .opened: "opened"
    case .performing(let number, let action, let objects): "performing \(number) \(action.rawValue) \(list(objects))"
    case .performed(let number, let time): "performed \(number) \(time)"
    case .saved(let number, let time): "saved \(number) \(time)"
    case .cancelling(let numbers): "cancelling \(list(numbers))"
    case .sent(let numbers): "sent \(list(numbers))"
    case .revealed(let cursor): "revealed \(cursor)"
    case .dismissing(let number): "dismissing \(number)"
    }
  }

  private func list(_ numbers: [Int64]) -> String { numbers.map { "\($0)" }.joined(separator: " ") }

  /// Nil if the text is no such line.
  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    let numbers = words.dropFirst().compactMap { Int64($0) }
    let isNumbers = numbers.count == words.count - 1
    switch (words.first, numbers.count) {
    case ("opening", 0): self = .opening
    case ("opened", 0): self = .opened
    case ("performing", 1...) where words.count > 2 && numbers.count == words.count - 2:
      guard let action = Action(rawValue: words[2]) else { return nil }
      self = .performing(numbers[0], action, objects: Array(numbers.dropFirst()))
    case ("performed", 2): self = .performed(numbers[0], atNanoseconds: UInt64(numbers[1]))
    case ("saved", 2): self = .saved(numbers[0], afterNanoseconds: UInt64(numbers[1]))
    case ("cancelling", 1...) where isNumbers: self = .cancelling(numbers)
    case ("sent", 1...) where isNumbers: self = .sent(numbers)
    case ("revealed", 1) where isNumbers: self = .revealed(numbers[0])
    case ("dismissing", 1) where isNumbers: self = .dismissing(numbers[0])
    default: return nil
    }
  }
}
