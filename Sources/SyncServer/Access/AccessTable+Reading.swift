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
    let keys = ["create", "update", "delete", "fields"]
    if let unknown = members.first(where: { !keys.contains($0.name) }) {
      throw AccessTableError("\(place).\(unknown.name): there is no such right.")
    }
    var result = ObjectAccess(
      create: try holders(value["create"], "\(place).create"), update: try holders(value["update"], "\(place).update"),
      delete: try holders(value["delete"], "\(place).delete"))
    guard let fields = value["fields"] else { return result }
    guard case .object(let rights) = fields else { throw AccessTableError("\(place).fields: this is not an object.") }
    for right in rights {
      let place = "\(place).fields.\(right.name)"
      guard let tag = Int(right.name), String(tag) == right.name, 1...WireLimits.maximumTag ~= tag else {
        throw AccessTableError("\(place): this is not a tag.")
      }
      result.fields[tag] = try holders(right.value, place)
    }
    return result
  }

  private static func holders(_ value: JSONValue?, _ place: String) throws(AccessTableError) -> [AccessHolder] {
    guard let value else { throw AccessTableError("\(place): it is missing.") }
    guard case .array(let elements) = value, !elements.isEmpty else {
      throw AccessTableError("\(place): a list of at least one holder is missing.")
    }
    var holders: [AccessHolder] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let word) = element, let holder = AccessHolder(rawValue: word) else {
        throw AccessTableError("\(place)[\(index)]: a holder is \"owner\", \"writer\", \"reader\" or \"creator\".")
      }
      holders.append(holder)
    }
    return holders
  }
}
