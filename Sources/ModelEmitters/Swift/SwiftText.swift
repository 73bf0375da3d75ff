// Turns text from a schema into Swift names, literals and comments. The text is hostile and must not change the code's
// meaning.

import ModelSchema

enum SwiftText {
  /// The name where Swift declares or reads it alone: a word of Swift stands between backticks. Behind a dot, and as the
  /// label of an argument, it needs none.
  static func name(_ name: String) -> String { SwiftWords.contains(name) ? "`\(name)`" : name }

  /// A string literal in printable ASCII whose value is `text`, for any text.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case " "..."~": result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result + "\""
  }

  /// A literal of exactly this number. Short ones are decimal. Others are hexadecimal, because the compiler rounds long
  /// decimals through 80 bits and warns where they underflow.
  static func literal(_ value: Double) -> String {
    let decimal = String(value)
    if decimal.utf8.count <= 10, !decimal.utf8.contains(UInt8(ascii: "e")) { return groupedFraction(decimal) }
    let fraction = String(value.significandBitPattern, radix: 16)
    let padded = String(repeating: "0", count: 13 - fraction.utf8.count) + fraction
    let lead = value.isNormal ? "1" : "0"
    let exponent = value.isNormal ? Int(value.exponent) : -1022
    return "\(value.sign == .minus ? "-" : "")0x\(lead).\(padded)p\(exponent)"
  }

  /// Groups the digits of a number by three, from 7 digits on.
  static func grouped(_ digits: String) -> String {
    let sign = digits.hasPrefix("-") ? "-" : ""
    let digits = digits.dropFirst(sign.count)
    guard digits.count >= 7 else { return sign + digits }
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "_" }
      result.append(digit)
    }
    return sign + result
  }

  private static func groupedFraction(_ decimal: String) -> String {
    guard let point = decimal.firstIndex(of: ".") else { return grouped(decimal) }
    return grouped(String(decimal[..<point])) + decimal[point...]
  }

  /// One `///` line for each line of `text`. No text can end the comment or change the writing direction.
  static func documentation(_ text: String?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    var lines: [String] = [""]
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if scalar == "\n" && previous == "\r" {
        previous = scalar
        continue
      }
      previous = scalar
      if isNewline(scalar) {
        lines.append("")
      } else if isVisible(scalar) {
        lines[lines.count - 1].unicodeScalars.append(scalar)
      } else {
        lines[lines.count - 1] += "U+\(String(scalar.value, radix: 16, uppercase: true))"
      }
    }
    while lines.count > 1, lines[lines.count - 1].allSatisfy({ $0 == " " }) { lines.removeLast() }
    return lines.map { trimmed("/// " + $0) }
  }

  /// Whether some tool takes the character for the end of a line.
  static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// False for control, bidirectional, invisible and unassigned characters, and for spaces other than U+0020.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
