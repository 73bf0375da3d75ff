// The id of a request, by which a line of the log, an answer and a proxy's log are found together.

import Determinism
import HTTPTypes

enum RequestName {
  /// That of the request that is answered; nil outside of one.
  @TaskLocal static var current: String?

  private static let mostBytes = 64

  /// The id that a proxy has given the request, or a new one.
  static func name(_ request: HTTPRequest) -> String {
    if let given = request.headerFields[.requestID], !given.isEmpty, given.utf8.count <= mostBytes,
      given.utf8.allSatisfy(isWord)
    {
      return given
    }
    return String(RuntimeEnvironment.current.randomBits(), radix: 16)
  }

  private static func isWord(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension HTTPField.Name {
  // A valid name, so that no force unwrap can fail.
  static let requestID = Self("X-Request-Id")!
}
