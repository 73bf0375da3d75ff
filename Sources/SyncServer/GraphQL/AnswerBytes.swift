// How many bytes an answer has once it is written, counted while it is put together.

import SyncProtocol

/// What an answer may still have. Texts count as they are: nothing that the protocol answers has to be escaped.
struct AnswerBytes {
  private var rest = ProtocolLimits.answerBytes - around

  /// `{"data":{}}`
  private static let around = 11
  /// What is around the members of an object.
  static let object = 2

  mutating func take(_ count: Int) -> Bool {
    rest -= count
    return rest >= 0
  }

  /// The name of a member with its quotes, its colon, and a comma or a brace.
  static func member(_ name: String) -> Int { name.utf8.count + 4 }

  /// What is around and between the elements of a list.
  static func list(_ count: Int) -> Int { count + 2 }

  /// A value that is no list and has no members of its own.
  static func of(_ value: JSONValue) -> Int {
    switch value {
    case .string(let text): text.utf8.count + 2
    case .number(let digits): digits.utf8.count
    default: value.encoded.count
    }
  }
}
