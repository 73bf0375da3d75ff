// Parses a table of access from JSON. Strict, because a misspelt right would leave open what it was meant to close.

import JSON
import SyncProtocol
import WireFormat

/// The error of a text that is not a table of access.
package struct AccessTableError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the mistake is and what it is, for the operator.
  package var description: String

  init(_ description: String) { self.description = description }
}

extension AccessTable {
  package static let maximumBytes = 4 << 20

  /// Parses the table of one app. Returns the name of its schema too.
  package static func read(_ bytes: [UInt8]) throws(AccessTableError) -> (schema: String, table: Self) {
    guard bytes.count <= maximumBytes else { throw AccessTableError("It is larger than 4 MiB.") }
    let root: JSONValue
    do throws(JSONError) { root = try JSONValue(parsing: bytes) } catch {
      let before = bytes.prefix(error.offset)
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
      throw AccessTableError(
        "Line \(line), column \(column): this is not JSON\(error.isTooLarge ? ", or too deep" : "").")
    }
    return (try AccessTableReader.schema(of: root), Self(types: try AccessTableReader.types(of: root)))
  }
}

private enum AccessTableReader {
  static func schema(of root: JSONValue) throws(AccessTableError) -> String {
    // Other keys at the top level are ignored: they are for people and newer versions.
    guard case .object = root else { throw AccessTableError("It is not a JSON object.") }
    guard root["version"] == .number("1") else {
      throw AccessTableError("version: it is not 1, the version that this server reads.")
    }
    guard case .string(let schema)? = root["schema"] else {
      throw AccessTableError("schema: the name of the schema is missing.")
    }
    guard ProtocolLimits.isTypeName(schema) else {
      throw AccessTableError("schema: this is not the name of a schema, as `modelgen.yaml` has it.")
    }
    return schema
  }

  static func types(of root: JSONValue) throws(AccessTableError) -> [String: ObjectAccess] {
    guard case .object(let members)? = root["types"] else { throw AccessTableError("types: an object is missing.") }
    var types: [String: ObjectAccess] = [:]
    for member in members {
      guard ProtocolLimits.isTypeName(member.name), !member.name.hasPrefix("sync.") else {
        throw AccessTableError("types.\(member.name): this is not the name of a model.")
      }
      types[member.name] = try access(member.value, "types.\(member.name)")
    }
    return types
  }

  private static func access(_ value: JSONValue, _ place: String) throws(AccessTableError) -> ObjectAccess {
    guard case .object(let members) = value else { throw AccessTableError("\(place): this is not an object.") }
    let keys = ["create", "update", "delete", "fields", "fixed", "identity", "users", "members"]
    if let unknown = members.first(where: { !keys.contains($0.name) }) {
      throw AccessTableError("\(place).\(unknown.name): there is no such right.")
    }
    var result = ObjectAccess(
      create: try holders(value["create"], "\(place).create"), update: try holders(value["update"], "\(place).update"),
      delete: try holders(value["delete"], "\(place).delete"))
    if let fields = value["fields"] { result.fields = try self.fields(fields, "\(place).fields") }
    if let fixed = value["fixed"] { result.fixed = try tags(fixed, "\(place).fixed") }
    result.identity = []
    if let identity = value["identity"] {
      let place = "\(place).identity"
      for (index, path) in try array(identity, place).enumerated() {
        result.identity?.append(try tags(path, "\(place)[\(index)]"))
      }
    }
    if let users = value["users"] { result.users = try tags(users, "\(place).users") }
    if let members = value["members"] { result.members = try self.members(members, "\(place).members") }
    return result
  }

  private static func fields(_ value: JSONValue, _ place: String) throws(AccessTableError) -> [Int: [AccessHolder]] {
    guard case .object(let rights) = value else { throw AccessTableError("\(place): this is not an object.") }
    var fields: [Int: [AccessHolder]] = [:]
    for right in rights {
      let place = "\(place).\(right.name)"
      guard let tag = Int(right.name), String(tag) == right.name, 1...WireLimits.maximumTag ~= tag else {
        throw AccessTableError("\(place): this is not a tag.")
      }
      fields[tag] = try holders(right.value, place)
    }
    return fields
  }

  private static func members(_ value: JSONValue, _ place: String) throws(AccessTableError) -> MemberAccess {
    guard case .object(let rights) = value else { throw AccessTableError("\(place): this is not an object.") }
    var members = MemberAccess()
    for right in rights {
      let place = "\(place).\(right.name)"
      let holders = try holders(right.value, place)
      if holders.contains(where: \.isUser) {
        throw AccessTableError("\(place): no field names who may change members.")
      }
      switch right.name {
      case "invite": members.invite = holders
      case "role": members.role = holders
      case "remove": members.remove = holders
      case "creator": members.creator = holders
      default: throw AccessTableError("\(place): there is no such right.")
      }
    }
    return members
  }

  private static func array(_ value: JSONValue, _ place: String) throws(AccessTableError) -> [JSONValue] {
    guard case .array(let elements) = value, !elements.isEmpty else {
      throw AccessTableError("\(place): a list with at least one element is missing.")
    }
    return elements
  }

  private static func tags(_ value: JSONValue, _ place: String) throws(AccessTableError) -> [Int] {
    var tags: [Int] = []
    for (index, element) in try array(value, place).enumerated() { tags.append(try tag(element, "\(place)[\(index)]")) }
    return tags
  }

  private static func tag(_ value: JSONValue?, _ place: String) throws(AccessTableError) -> Int {
    guard case .number(let text)? = value, let tag = Int(text), 1...WireLimits.maximumTag ~= tag else {
      throw AccessTableError("\(place): this is not a tag.")
    }
    return tag
  }

  private static func holders(_ value: JSONValue?, _ place: String) throws(AccessTableError) -> [AccessHolder] {
    guard let value else { throw AccessTableError("\(place): it is missing.") }
    guard case .array(let elements) = value else { throw AccessTableError("\(place): a list of holders is missing.") }
    var holders: [AccessHolder] = []
    for (index, element) in elements.enumerated() { holders.append(try holder(element, "\(place)[\(index)]")) }
    return holders
  }

  private static func holder(_ value: JSONValue, _ place: String) throws(AccessTableError) -> AccessHolder {
    switch value {
    case .string("owner"): return .owner
    case .string("writer"): return .writer
    case .string("reader"): return .reader
    case .string("creator"): return .creator
    case .object(let members):
      let keys = ["role", "field", "member"]
      if let unknown = members.first(where: { !keys.contains($0.name) }) {
        throw AccessTableError("\(place).\(unknown.name): a holder has no such part.")
      }
      let role = try role(value["role"], "\(place).role")
      let tag = try tag(value["field"], "\(place).field")
      guard let member = value["member"] else { return .user(in: tag, role: role) }
      if case .object(let parts) = member, let unknown = parts.first(where: { !["type", "tag"].contains($0.name) }) {
        throw AccessTableError("\(place).member.\(unknown.name): a member has no such part.")
      }
      guard case .string(let type)? = member["type"], ProtocolLimits.isTypeName(type) else {
        throw AccessTableError("\(place).member.type: this is not the name of a model.")
      }
      return .user(in: tag, role: role, as: UserIdentity(type, tag: try self.tag(member["tag"], "\(place).member.tag")))
    default:
      throw AccessTableError(
        "\(place): a holder is \"owner\", \"writer\", \"reader\", \"creator\", or an object with `role` and `field`.")
    }
  }

  private static func role(_ value: JSONValue?, _ place: String) throws(AccessTableError) -> QueueRole {
    switch value {
    case .string("owner"): .owner
    case .string("writer"): .writer
    case .string("reader"): .reader
    default: throw AccessTableError("\(place): a role is \"owner\", \"writer\" or \"reader\".")
    }
  }
}
