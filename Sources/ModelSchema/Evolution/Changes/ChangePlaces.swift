// Finds the places of changes in the schema files. Reads the files again, which only a change makes necessary.

struct ChangePlaces {
  let schema: Schema
  let files: [SourceFile]
  let tree: FactNode
  /// The files that were read, by path.
  private var roots: [String: YAMLNode] = [:]

  init(schema: Schema, files: [SourceFile], tree: FactNode) {
    self.schema = schema
    self.files = files
    self.tree = tree
  }

  /// The thing in its file; where it is gone, what it was in.
  mutating func place(of change: FoundChange) -> SourceRange {
    guard change.subject != "schema" else { return configuration("schema") }
    let things = FactKey(Substring(change.subject + " name")).things
    guard let first = things.first, let file = file(of: first), let root = root(of: file) else {
      return configuration("schema")
    }
    if let part = change.part, let pair = root.pair(part) { return pair.key.range }
    var place = root.pair("model")?.value.shownRange ?? root.shownRange
    var (node, value) = (tree, root)
    for thing in things {
      guard let next = node.children[thing.kind]?[thing.name] else { return place }
      node = next
      // The model is the whole file.
      guard thing.kind != "model" else { continue }
      guard let part = value.pair(Self.part(of: thing.kind)) else { return place }
      place = part.key.range
      let name = node.now("name") ?? String(thing.name)
      guard node.isPresent, let pair = part.value.pair(name) else { return place }
      (place, value) = (pair.key.range, pair.value)
    }
    return place
  }

  /// The key in `modelgen.yaml`, or the beginning of that file.
  mutating func configuration(_ key: String) -> SourceRange {
    guard let file = files.first(where: ConfigurationReader.isConfiguration) else { return .whole("modelgen.yaml") }
    return root(of: file).flatMap { $0.pair(key)?.key.range } ?? .start(of: file.path)
  }

  /// The file that declares a model, or a shared struct or enum.
  func file(of thing: FactKey.Thing) -> SourceFile? {
    let declaring = schema.files.first { file in
      switch thing.kind {
      case "model": file.model?.wireName == String(thing.name)
      case "struct": file.model == nil && file.structs.contains { $0.lockName == thing.name }
      default: file.model == nil && file.enums.contains { $0.lockName == thing.name }
      }
    }
    return declaring.flatMap { declaring in
      files.first { ConfigurationReader.stem(of: $0.path) == declaring.stem }
    }
  }

  mutating func root(of file: SourceFile) -> YAMLNode? {
    if roots[file.path] == nil { roots[file.path] = YAMLTreeBuilder.read(file, into: Findings()) }
    return roots[file.path]
  }

  static func part(of kind: Substring) -> String { kind == "case" ? "cases" : kind + "s" }
}
