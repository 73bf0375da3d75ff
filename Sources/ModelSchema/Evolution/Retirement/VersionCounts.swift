// How lately each version of a schema was in use, as `modelserver versions --format json` prints it.

/// The versions that a server has seen.
public struct VersionCounts: Hashable, Sendable {
  /// A version of a schema.
  public struct Version: Hashable, Sendable {
    public var schema: String
    /// Such as `1.4`, or `1.4+` for a schema that has changed since; empty for apps that name none.
    public var name: String
    /// Since it was seen last.
    public var daysAgo: Int
  }

  /// The day on which they were counted, such as `2026-11-28`.
  public var date: String
  /// The same, since 1970.
  public var day: Int
  public var versions: [Version]

  public init(date: String, day: Int, versions: [Version]) {
    self.date = date
    self.day = day
    self.versions = versions
  }

  /// Reads the JSON; nil where it is anything else.
  public init?(_ source: SourceFile) {
    // JSON is YAML.
    guard let root = YAMLTreeBuilder.read(source, into: Findings()), let date = root.text("date"),
      let day = root.text("day").flatMap({ Int($0) }), let list = root.pair("versions")?.value.elements
    else { return nil }
    self.date = date
    self.day = day
    versions = []
    for one in list {
      guard let schema = one.text("schema"), let name = one.text("version"),
        let daysAgo = one.text("daysAgo").flatMap({ Int($0) })
      else { return nil }
      versions.append(Version(schema: schema, name: name, daysAgo: daysAgo))
    }
  }
}

extension VersionCounts.Version {
  /// Whether it stands on `release` or a later one. A version without a name stands on none.
  func stands(on release: ReleaseVersion) -> Bool {
    ReleaseVersion(name.hasSuffix("+") ? name.dropLast() : name[...]).map { $0 >= release } ?? false
  }

  /// For people.
  var shown: String { name.isEmpty ? "an app without a version" : name }
}

extension YAMLNode {
  fileprivate func text(_ key: String) -> String? { pair(key)?.value.text }
}
