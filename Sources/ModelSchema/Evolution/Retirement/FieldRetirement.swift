// Takes a field out of a schema once nobody needs it any more: its line goes, and its tag is reserved.

/// The removal of a field that all apps which are in use have stopped using.
public struct FieldRetirement {
  /// Such as `note.due` or `note.place.street`.
  public let path: String
  private let files: [SourceFile]
  private let schema: Schema
  private let lock: SchemaLock

  public init(of path: String, in schema: Schema, _ files: [SourceFile], lock: SchemaLock) {
    (self.path, self.schema, self.files, self.lock) = (path, schema, files, lock)
  }

  public enum Result: Sendable {
    /// The files without the field.
    case retired([SourceFile])
    /// The reason as the rest of a sentence that begins with the path, and what to do.
    case refused(reason: String, remedy: String)
  }

  /// Pure. `counts` say who uses which version; one that was not seen for `days` counts as gone.
  public func run(_ counts: VersionCounts, unseenFor days: Int) -> Result {
    do throws(Refusal) {
      let tree = FactNode(now: SchemaFacts(schema), lock)
      guard let (things, field) = Self.find(path.split(separator: ".")[...], in: tree) else {
        throw Refusal(reason: "`\(path)` is no field", remedy: "write MODEL.FIELD with their names, such as note.due")
      }
      try checkUse(counts, since: deprecation(of: field, things), unseenFor: days)
      return .retired(try removed(things, field, tree))
    } catch {
      return .refused(reason: error.reason, remedy: error.remedy)
    }
  }

  private struct Refusal: Error {
    var reason: String
    var remedy: String
  }
}

extension FieldRetirement {
  /// The field that a path of today's names leads to, and the things on the way, as the lock calls them.
  private static func find(
    _ path: ArraySlice<Substring>, in node: FactNode
  ) -> (things: [FactKey.Thing], field: FactNode)? {
    guard let first = path.first else { return nil }
    for kind in path.count == 1 ? ["field"] : ["model", "struct"] as [Substring] {
      for (name, child) in node.children(kind) where child.now("name").map({ $0 == first }) ?? false {
        let thing = FactKey.Thing(kind: kind, name: Substring(name))
        if path.count == 1 { return ([thing], child) }
        if let (rest, field) = find(path.dropFirst(), in: child) { return ([thing] + rest, field) }
      }
    }
    return nil
  }

  /// The first of the releases since which the field has been deprecated without a break, and is so now.
  private func deprecation(of field: FactNode, _ things: [FactKey.Thing]) throws(Refusal) -> ReleaseVersion {
    guard field.wasReleased else {
      throw Refusal(reason: "`\(path)` was never released", remedy: "take its line out of the schema file")
    }
    guard field.now("deprecated") != nil else {
      throw Refusal(
        reason: "`\(path)` is in use",
        remedy: "write `deprecated: true`, release that, and wait until nobody has an older version")
    }
    let key = things.map { "\($0.kind) \($0.name)" }.joined(separator: " ") + " deprecated"
    let newest = lock.releases.count - 1
    let range = lock.facts[key]?.lazy.flatMap(\.releases).first { $0.contains(newest) }
    guard let range else {
      throw Refusal(
        reason: "`\(path)` is not deprecated in the newest release, \(lock.releases[newest])",
        remedy: "release the schema as it is, and wait until nobody has an older version")
    }
    return lock.releases[range.lowerBound]
  }

  /// Refuses while a version before the release is in use.
  private func checkUse(
    _ counts: VersionCounts, since release: ReleaseVersion, unseenFor days: Int
  ) throws(Refusal) {
    let ours = counts.versions.filter { $0.schema == schema.name }
    guard !ours.isEmpty else {
      throw Refusal(
        reason: "the counts know no app with the schema \(schema.name)",
        remedy: "take those of the server that your apps use")
    }
    let old = ours.filter { !$0.stands(on: release) && $0.daysAgo < days }
    guard !old.isEmpty else { return }
    let seen = old.map { "\($0.shown) \($0.daysAgo == 0 ? "today" : "\($0.daysAgo) days ago")" }
    throw Refusal(
      reason: "`\(path)` is deprecated since \(release), and older versions are in use: "
        + seen.joined(separator: ", ") + ", as counted on \(counts.date)",
      remedy: "wait until they were not seen for \(days) days. To do it all the same, take the line out and run "
        + "`modelgen fix`")
  }

  private func removed(
    _ things: [FactKey.Thing], _ field: FactNode, _ tree: FactNode
  ) throws(Refusal) -> [SourceFile] {
    var places = ChangePlaces(schema: schema, files: files, tree: tree)
    guard let name = field.now("name"), let tag = things.last?.name,
      let (file, owner) = places.declaration(of: things.dropLast()),
      let fields = owner.pair("fields")?.value, let pair = fields.pair(name)
    else { preconditionFailure("a valid schema has a place for each of its fields") }
    let layout = YAMLLayout(file)
    let reserved = ReservedEdit.field(tag: String(tag), name: name).fix(in: owner, behind: "fields", layout)
    guard let reserved, let mended = file.applying([layout.removing(pair, of: fields)] + reserved.edits) else {
      throw Refusal(
        reason: "`reserved:` beside `\(path)` is written in a way that is not understood here",
        remedy: "take the line of the field out, and run `modelgen fix`")
    }
    let changed = files.map { $0.path == file.path ? mended : $0 }
    let reading = SchemaReader.read(changed, lock: lock)
    let broken = reading.schema.map { SchemaChanges.find(in: $0, changed, since: lock).changes.filter(\.isRefused) }
    let mistakes = broken?.map(\.message) ?? reading.diagnostics.filter { $0.severity == .error }.map(\.message)
    guard mistakes.isEmpty else {
      throw Refusal(
        reason: "`\(path)` has other uses in the schema. Without it: " + mistakes.joined(separator: " "),
        remedy: "take these out first")
    }
    return changed
  }
}
