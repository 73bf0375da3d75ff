// The rules for names in a schema.

/// Checks the form of names, reserved words and uniqueness.
struct NameRules {
  /// The purpose of a name. Each purpose has its own reserved words.
  enum Use: String {
    case file, model, type, field
    case enumCase = "case"
    case operation, parameter, list, view
    case conversion = "function"
  }

  let findings: Findings

  init(_ findings: Findings) {
    self.findings = findings
  }

  /// Reports a name of the wrong form or a reserved one.
  func check(_ name: Spelled, as use: Use) {
    guard checkForm(name, as: use) else { return }
    if let reason = ReservedNames.reason(name.text, as: use) {
      findings.report(
        .reservedName, "`\(name.text)` cannot be the name of a \(use.rawValue): \(reason).", at: name.range)
    }
  }

  /// Reports a name of the wrong form and returns false. `use` is nil for former names, which need no more than the
  /// form.
  @discardableResult
  func checkForm(_ name: Spelled, as use: Use? = nil) -> Bool {
    if Self.isName(name.text) { return true }
    findings.report(
      .invalidName, "`\(name.text)` is not a name: a name \(Self.form).", at: name.range,
      replacement: Self.mended(name.text, as: use), isCertain: use != nil)
    return false
  }

  func checkSwiftName(_ name: Spelled) {
    guard !name.text.isSwiftTypeName else { return }
    findings.report(
      .invalidSwiftName,
      "`\(name.text)` is not a Swift type name: it matches `[A-Z][A-Za-z0-9]*` and has at most 64 characters.",
      at: name.range, replacement: Self.mended(name.text, as: nil).map(\.capitalised))
  }

  /// Reports each name that equals an earlier one, ignoring case.
  func checkUnique(_ names: [Spelled], _ what: String) {
    var seen: [String: Spelled] = [:]
    for name in names {
      guard let first = seen[name.text.lowercased()] else {
        seen[name.text.lowercased()] = name
        continue
      }
      findings.report(
        .duplicateName, "The \(what) name `\(name.text)` is taken; names are unique, ignoring case.", at: name.range,
        related: [.init(message: "`\(first.text)` is here.", location: first.range)])
    }
  }

  static let form = "matches `[a-z][A-Za-z0-9]*` and has at most 64 characters"

  static func isName(_ text: String) -> Bool { isValid(text, first: 0x61...0x7A) }

  static func isValid(_ name: String, first: ClosedRange<UInt8>) -> Bool {
    guard let start = name.utf8.first, first.contains(start), name.utf8.count <= 64 else { return false }
    return name.utf8.allSatisfy(isNameByte)
  }

  /// Whether it is a letter or a digit of ASCII.
  static func isNameByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// Turns `Taken_at` into `takenAt`. Nil where no usable name is left, where the result is reserved, and for letters
  /// beyond ASCII, without which it would be another word.
  static func mended(_ name: String, as use: Use?) -> String? {
    guard name.utf8.count <= 64, !name.unicodeScalars.contains(where: { !$0.isASCII && $0.properties.isAlphabetic })
    else { return nil }
    let parts = name.utf8.split { !isNameByte($0) }.map { String(decoding: $0, as: UTF8.self) }
    guard let head = parts.first else { return nil }
    let words = [head.prefix(1).lowercased() + head.dropFirst()] + parts.dropFirst().map(\.capitalised)
    let result = words.joined()
    if let use, ReservedNames.reason(result, as: use) != nil { return nil }
    return isName(result) ? result : nil
  }
}
