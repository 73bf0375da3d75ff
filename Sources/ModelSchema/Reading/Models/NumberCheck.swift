// Checks the tags of fields, and the numbers of cases, against each other, and finds free ones.

/// A field or case, as far as its number could be read.
struct Numbered {
  var name: Spelled
  /// The name before a rename.
  var was: String?
  /// Nil where it is missing or wrong.
  var number: Int?
  /// The number; the type without one where it is missing.
  var range: SourceRange
  var isMissing = false
}

struct NumberCheck {
  let kind: Kind
  let reserved: ReservedFields
  /// Looked for only after a mistake.
  let released: () -> ReleasedNumbers
  let findings: Findings

  enum Kind: String {
    case field
    case enumCase = "case"

    var number: String { self == .field ? "tag" : "number" }
  }

  /// Reports numbers that are missing, taken or reserved. Each of these fields is told another free one.
  func check(_ all: [Numbered]) {
    var owners: [Int: Numbered] = [:]
    var wrong: [Numbered] = []
    for one in all {
      guard let number = one.number else {
        if one.isMissing { wrong.append(one) }
        continue
      }
      if owners[number] != nil || reserved.hasTag(number) { wrong.append(one) }
      owners[number] = owners[number] ?? one
    }
    if !wrong.isEmpty { report(wrong, &owners, all) }
  }

  private func report(_ wrong: [Numbered], _ owners: inout [Int: Numbered], _ all: [Numbered]) {
    let released = released()
    var last = max(all.compactMap(\.number).max() ?? 0, reserved.tags.last?.upperBound ?? 0, released.highest, 0)
    func free() -> Int {
      last = FieldReader.tag(after: last)
      return last
    }
    for one in wrong {
      guard let number = one.number else {
        let own = released.number(of: one.name.text, was: one.was).flatMap { owners[$0] == nil ? $0 : nil }
        reportMissing(one, own ?? free())
        if let own { owners[own] = one }
        continue
      }
      let isReleased = released.has(number, one.name.text, was: one.was)
      guard let owner = owners[number], owner.name != one.name else {
        // What is released and was reserved by mistake keeps its number.
        reportReserved(one, number, isReleased ? nil : free())
        continue
      }
      // What is released keeps its number, whichever comes first.
      let isOlder = isReleased && !released.has(number, owner.name.text, was: owner.was)
      if isOlder { owners[number] = one }
      reportTaken(isOlder ? owner : one, number, by: isOlder ? one : owner, free())
    }
  }

  private func reportMissing(_ one: Numbered, _ number: Int) {
    findings.report(
      .fieldSyntax, "The tag is missing: a field is `TYPE = TAG`.", at: one.range,
      fix: [.insertion(" = \(number)", at: one.range.end, of: one.range.file)])
  }

  private func reportTaken(_ one: Numbered, _ number: Int, by owner: Numbered, _ free: Int) {
    findings.report(
      kind == .field ? .duplicateTag : .duplicateEnumNumber,
      "The \(kind.number) \(number) is taken; \(free) is free.", at: one.range,
      fix: [TextEdit(range: one.range, text: "\(free)")],
      related: [.init(message: "`\(owner.name.text)` has it.", location: owner.range)])
  }

  private func reportReserved(_ one: Numbered, _ number: Int, _ free: Int?) {
    findings.report(
      .tagReused,
      "The \(kind.number) \(number) is reserved: it meant another \(kind.rawValue) before"
        + (free.map { "; \($0) is free." } ?? "."), at: one.range,
      fix: free.map { [TextEdit(range: one.range, text: "\($0)")] } ?? [])
  }
}
