// Names and comments in protobuf's style.

enum ProtoText {
  /// Turns `takenAt` into `taken_at`. Names are ASCII and unique ignoring case, so two names never become the same.
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

  /// The JSON name that protobuf derives from a field name: it drops each `_` and capitalises the letter after it.
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

  /// The text as `//` comment lines, made as safe as Swift's documentation comments.
  static func comment(_ text: String?) -> [String] {
    SwiftText.documentation(text).map { "//" + $0.dropFirst(3) }
  }
}
