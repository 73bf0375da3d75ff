// The settings of a schema folder with where each comes from, for people who wonder.

/// A key of `modelgen.yaml`, with the value that is in force.
public struct SchemaSetting: Hashable, Sendable {
  public var key: String
  public var value: String
  /// False where it is not in the file, so that the default is in force.
  public var isWritten: Bool

  /// All settings, in the order of the language. Nil where there is no `modelgen.yaml` that can be read. Wrong values
  /// are shown as the defaults that stand in for them; `SchemaReader` reports them.
  public static func read(_ files: [SourceFile]) -> [SchemaSetting]? {
    guard let source = files.first(where: ConfigurationReader.isConfiguration),
      let pairs = YAMLTreeBuilder.read(source, into: Findings())?.pairs
    else { return nil }
    let configuration = ConfigurationReader.read(files, Findings())
    let written = Set(pairs.map(\.key.text))
    return KeyTable.configuration.names.map { key in
      SchemaSetting(key: key, value: value(of: key, in: configuration), isWritten: written.contains(key))
    }
  }

  private static func value(of key: String, in configuration: Configuration) -> String {
    switch key {
    case "schema": return configuration.name
    case "access": return configuration.access.rawValue
    case "output": return configuration.output
    case "fixtures": return "\(configuration.fixtures)"
    case "reserved": return list(configuration.reservedModels.map(\.text))
    case "waivers": return list(configuration.waivers.map { "\($0.rule) at \($0.at)" })
    default: preconditionFailure("the table of keys has no other one")
    }
  }

  private static func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: ", ") }
}
