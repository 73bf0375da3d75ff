// JSON as the model reads it in requests, and as it expects it in answers.

import Foundation

enum PlainJSON: Equatable {
  case null
  case bool(Bool)
  case number(Int64)
  case text(ArraySlice<UInt8>)
  case array([PlainJSON])
  case object([Member])
  /// In expected values only: these outcomes or places, in any order.
  case anyOrder([PlainJSON])

  struct Member: Equatable {
    var name: String
    var value: PlainJSON
  }

  /// A member's value; null if it is absent.
  subscript(name: String) -> PlainJSON {
    guard case .object(let members) = self else { return .null }
    return members.first { $0.name == name }?.value ?? .null
  }

  var isNull: Bool { self == .null }
  var isTrue: Bool { self == .bool(true) }

  var elements: [PlainJSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var text: ArraySlice<UInt8>? {
    if case .text(let text) = self { text } else { nil }
  }

  var id: PlainID? { text.flatMap { PlainID(text: $0) } }

  /// A number, or the digits of one in a text.
  var integer: Int64? {
    switch self {
    case .number(let number): number
    case .text(let text): Int64(String(decoding: text, as: UTF8.self))
    default: nil
    }
  }

  var base64: [UInt8]? { text.flatMap { Data(base64Encoded: Data($0)) }.map { Array($0) } }
}

// Expected values.
extension PlainJSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, PlainJSON)...) {
    self = .object(elements.map { Member(name: $0, value: $1) })
  }

  static func id(_ id: PlainID?) -> Self { id.map { .text($0.text[...]) } ?? .null }
  static func digits(_ number: (some FixedWidthInteger)?) -> Self { number.map { .words("\($0)") } ?? .null }
  static func words(_ text: String) -> Self { .text(Array(text.utf8)[...]) }
  static func base64(_ bytes: [UInt8]) -> Self { .text(Array(Data(bytes).base64EncodedData())[...]) }
}

// Comparing.
extension PlainJSON {
  /// Describes where this differs from what is expected; nil if nowhere. Members that are not expected are ignored.
  func difference(from expected: PlainJSON) -> String? {
    switch (self, expected) {
    case (_, .object(let members)) where isObject:
      for member in members {
        if let inner = self[member.name].difference(from: member.value) { return ".\(member.name)\(inner)" }
      }
      return nil
    case (.array(let found), .array(let wanted)): return Self.difference(found, wanted)
    case (.array(let found), .anyOrder(let wanted)):
      return Self.difference(found.sorted(by: Self.isBefore), wanted.sorted(by: Self.isBefore))
    default: return self == expected ? nil : " is \(description), not \(expected.description)"
    }
  }

  private static func difference(_ found: [PlainJSON], _ wanted: [PlainJSON]) -> String? {
    for (place, pair) in zip(found, wanted).enumerated() {
      if let inner = pair.0.difference(from: pair.1) { return "[\(place)]\(inner)" }
    }
    guard found.count != wanted.count else { return nil }
    let (longer, what) = found.count > wanted.count ? (found, "is too much") : (wanted, "is missing")
    return "[\(min(found.count, wanted.count))] \(what): \(longer[min(found.count, wanted.count)].description)"
  }

  /// Orders elements by their operation or queue, each of which occurs once.
  private static func isBefore(_ left: PlainJSON, _ right: PlainJSON) -> Bool {
    left.name.lexicographicallyPrecedes(right.name)
  }

  private var name: ArraySlice<UInt8> { self["operation"].text ?? self["queue"].text ?? [] }

  private var isObject: Bool {
    if case .object = self { true } else { false }
  }

  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): "\(number)"
    case .text(let text): "\"\(String(decoding: text, as: UTF8.self))\""
    case .array(let elements), .anyOrder(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
    case .object(let members): "{\(members.map { "\($0.name): \($0.value.description)" }.joined(separator: ", "))}"
    }
  }
}
