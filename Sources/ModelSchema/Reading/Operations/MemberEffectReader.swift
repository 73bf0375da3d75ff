// Reads effects on the members of a queue: `follow`, `role`, `unfollow`.

struct MemberEffectReader: PartReader {
  let model: CatalogModel
  let values: ValueReader
  let findings: Findings

  /// Reads `follow: $user`, or `follow: { user: $user, role: reader }`.
  func followed(_ pair: YAMLPair) -> [Effect] {
    guard isShared(pair) else { return [] }
    guard pair.value.pairs != nil else { return user(pair).map { [.follow($0, nil)] } ?? [] }
    let parts = kinds.pairs(of: pair.value, known: .followed, in: "`follow:`")
    let role = parts["role"].flatMap(role)
    return named(parts, pair).map { [.follow($0, role)] } ?? []
  }

  /// Reads `role: { user: $user, role: owner }`.
  func given(_ pair: YAMLPair) -> [Effect] {
    guard isShared(pair) else { return [] }
    let parts = kinds.pairs(of: pair.value, known: .given, in: "`role:`")
    let user = named(parts, pair)
    guard let part = parts["role"] else {
      reportMissing("role", parts, pair)
      return []
    }
    guard let role = role(part), let user else { return [] }
    return [.role(user, role)]
  }

  func unfollowed(_ pair: YAMLPair) -> [Effect] {
    guard isShared(pair) else { return [] }
    return user(pair).map { [.unfollow($0)] } ?? []
  }

  private func isShared(_ pair: YAMLPair) -> Bool {
    guard model.queue == .device else { return true }
    findings.report(
      .effectTarget, "A `\(model.name.text)` never leaves the device, so it has no queue to follow.",
      at: pair.key.range)
    return false
  }

  private func named(_ parts: [String: YAMLPair], _ pair: YAMLPair) -> ValueExpression? {
    guard let part = parts["user"] else {
      reportMissing("user", parts, pair)
      return nil
    }
    return user(part)
  }

  /// Reports a missing key. A value that is no mapping, or has a misspelt key, has been reported already.
  private func reportMissing(_ key: String, _ parts: [String: YAMLPair], _ pair: YAMLPair) {
    guard pair.value.pairs?.count == parts.count else { return }
    findings.report(.missingKey, "`\(pair.key.text):` has no `\(key):`.", at: pair.key.range)
  }

  private func role(_ pair: YAMLPair) -> MemberRole? {
    kinds.plain(pair.value, "A role").flatMap { RoleWord(findings: findings).read($0, "A role is one of") }
  }

  private func user(_ pair: YAMLPair) -> ValueExpression? {
    guard var scanner = kinds.expression(of: pair.value, "`\(pair.key.text):`"),
      let value = values.expression(&scanner)
    else { return nil }
    if let type = value.type, type.base != .userReference {
      findings.report(.valueType, "Users follow queues, not \(type.shown).", at: pair.value.range)
      return nil
    }
    return value.value
  }
}
