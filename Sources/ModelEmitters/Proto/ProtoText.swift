// Names and comments as protobuf writes them.

enum ProtoText {
  /// `takenAt` as `taken_at`. Names are ASCII and unique ignoring case, so two of them never become one.
  static func snakeCase(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      if ("A"..."Z").contains(scalar) {
        result += "_"
        result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The JSON name that protobuf derives from a field's name: the letter behind `_` is raised.
  static func jsonName(_ name: String) -> String {
    var result = ""
    var raise = false
    for character in name {
      if character == "_" {
        raise = true
      } else {
        result += raise ? character.uppercased() : String(character)
        raise = false
      }
    }
    return result
  }

  /// `//` lines: what holds for Swift's comments holds here.
  static func comment(_ text: String?) -> [String] {
    SwiftText.documentation(text).map { "//" + $0.dropFirst(3) }
  }
}
