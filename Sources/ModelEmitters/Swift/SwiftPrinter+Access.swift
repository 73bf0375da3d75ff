// Prints the rights of a model. The store checks them before it performs an operation.
import ModelSchema

extension SwiftPrinter {
  func printAccess(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    guard let rights = accessInTable(model) else { return }
    let table = AccessRights(rights, of: model, in: self)
    func holders(_ holders: [AccessRights.Holder]) -> String {
      "[\(holders.map(Self.text).joined(separator: ", "))]"
    }
    func tags(_ tags: [Int]) -> String { "[\(tags.map { SwiftText.grouped(String($0)) }.joined(separator: ", "))]" }
    var parts = table.single.map { "\($0.name): \(holders($0.holders))" }
    let fields = table.fields.map { "\(SwiftText.grouped(String($0.tag))): \(holders($0.holders))" }
    if !fields.isEmpty { parts.append("fields: [\(fields.joined(separator: ", "))]") }
    if !table.fixed.isEmpty { parts.append("fixed: \(tags(table.fixed))") }
    if !table.identity.isEmpty { parts.append("identity: [\(table.identity.map(tags).joined(separator: ", "))]") }
    if !table.users.isEmpty { parts.append("users: \(tags(table.users))") }
    if !table.members.isEmpty {
      let members = table.members.map { "\($0.name): \(holders($0.holders))" }
      parts.append("members: ModelSupport.MemberAccess(\(members.joined(separator: ", ")))")
    }
    printer.line()
    printer.list("\(access) static let objectAccess = ModelSupport.ObjectAccess", parts)
  }

  private static func text(_ holder: AccessRights.Holder) -> String {
    switch holder {
    case .word(let word): return ".\(word)"
    case .user(let tag, let role, let identity):
      let proof = identity.map {
        ", as: ModelSupport.UserIdentity(\"\($0.type)\", tag: \(SwiftText.grouped(String($0.tag))))"
      }
      return ".user(in: \(SwiftText.grouped(String(tag))), role: .\(role.rawValue)\(proof ?? ""))"
    }
  }
}
