// Reads enums: named numbers.

struct EnumReader: PartReader {
  /// The releases, for free numbers.
  let lock: SchemaLock?
  let findings: Findings

  func read(_ pair: YAMLPair, of file: FileOutline) -> EnumDeclaration {
    let parts = kinds.pairs(of: pair.value, known: .enumeration, in: "An enum")
    var result = EnumDeclaration(
      name: pair.key.text, swiftName: swiftName(parts, pair.key), doc: kinds.doc(parts), cases: [],
      reserved: ReservedReader(findings: findings).read(parts["reserved"], numbers: .enumNumbers),
      was: kinds.was(parts, now: pair.key))
    guard let cases = parts["cases"] else {
      if case .mapping = pair.value.content {
        findings.report(.missingKey, "The enum has no `cases:`.", at: pair.key.range)
      } else if !pair.value.isInvalid {
        _ = kinds.entries(of: pair.value, "An enum")
      }
      return result
    }
    let entries = kinds.entries(of: cases.value, "`cases:`")
    nameRules.checkUnique(entries.map(\.key), "case")
    nameRules.checkFormer(entries.map(FormerName.init))
    nameRules.checkReserved(entries.map(\.key), result.reserved, "case")
    var numbered: [Numbered] = []
    for entry in entries {
      guard let (declaration, number) = readCase(entry) else {
        // The name is kept so that its uses are not reported too. No valid case has the number 0.
        result.cases.append(EnumCase(name: entry.key.text, number: 0))
        continue
      }
      numbered.append(
        Numbered(name: entry.key, was: declaration.was, number: Int(declaration.number), range: number))
      result.cases.append(declaration)
    }
    let home = file.lockKey(of: "enum", result.lockName)
    NumberCheck(
      kind: .enumCase, reserved: result.reserved, released: { ReleasedNumbers(lock, home, kind: "case") },
      findings: findings
    ).check(numbered)
    return result
  }

  private func swiftName(_ parts: [String: YAMLPair], _ name: Spelled) -> String {
    kinds.swiftName(parts)?.text ?? name.text.capitalised
  }

  /// Reads `name: 1`, or the long form with `number`, `doc` and `was`.
  private func readCase(_ pair: YAMLPair) -> (EnumCase, SourceRange)? {
    nameRules.check(pair.key, as: .enumCase)
    guard case .mapping = pair.value.content else {
      return number(pair.value).map { (EnumCase(name: pair.key.text, number: $0), pair.value.range) }
    }
    let parts = kinds.pairs(of: pair.value, known: .enumCase, in: "A case")
    guard let node = parts["number"]?.value else {
      findings.report(.missingKey, "The case has no `number:`.", at: pair.key.range)
      return nil
    }
    guard let number = number(node) else { return nil }
    let was = kinds.was(parts, now: pair.key)
    return (EnumCase(name: pair.key.text, number: number, doc: kinds.doc(parts), was: was), node.range)
  }

  private func number(_ node: YAMLNode) -> Int32? {
    guard let text = kinds.plain(node, "The number of a case") else { return nil }
    guard let number = WholeNumber.read(text.text, as: Int32.self), number != 0 else {
      findings.report(
        .enumNumber, "The number of a case is a whole number from -2147483648 to 2147483647, and not 0.",
        at: text.range)
      return nil
    }
    return number
  }
}

extension KindReader {
  func doc(_ parts: [String: YAMLPair]) -> String? {
    parts["doc"].flatMap { text(of: $0.value, "`doc:`")?.text }
  }

  func swiftName(_ parts: [String: YAMLPair]) -> Spelled? {
    guard let node = parts["swiftName"]?.value, let name = text(of: node, "`swiftName:`") else { return nil }
    nameRules.checkSwiftName(name)
    return name
  }
}
