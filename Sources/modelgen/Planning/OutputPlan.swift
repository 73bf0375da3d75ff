// Compares the files that exist with those that should exist, and plans the changes. Pure, so that tests can list every
// case.

/// The entry at a path in the output folder.
enum ExistingEntry: Hashable {
  case missing
  /// The first bytes of the file, at least one more than the file that should be there.
  case file([UInt8])
  case link
  case folder
  /// A device, a pipe, a socket.
  case special
}

/// The changes that one run of `generate` makes.
struct OutputPlan: Hashable {
  enum Action: Hashable {
    /// `isNew` is false where a generated file is replaced.
    case write(path: String, contents: [UInt8], isNew: Bool)
    case remove(path: String)

    var path: String {
      switch self {
      case .write(let path, _, _), .remove(let path): path
      }
    }
  }

  /// Removals come first, because on a file system that ignores case an old file may have the place of a new one.
  private(set) var actions: [Action] = []
  /// The number of files that are up to date.
  private(set) var unchanged = 0
  /// The folder's manifest after the run.
  private(set) var manifest: Manifest
  /// The folder's present manifest; nil where there is none.
  private let previous: Manifest?
  /// Paths are relative to the output folder. With any problem, nothing may be written.
  private(set) var problems: [FileProblem] = []

  /// `kinds` are the kinds of output in `files`, or nil for all; files of other kinds are left alone. A path that is
  /// not in `existing` is missing. `previous` is nil where there is no manifest.
  init(
    files: [OutputFile], of schema: String? = nil, previous: Manifest?, kinds: Set<String>?,
    existing: [String: ExistingEntry]
  ) {
    self.previous = previous
    let before = previous ?? Manifest()
    manifest = Manifest(
      schema: schema, kinds: before.kinds.filter { entry in kinds.map { !$0.contains(entry.value) } ?? false })
    for file in files { manifest.kinds[file.path] = file.kind }
    for path in before.kinds.keys.sorted() where manifest.kinds[path] == nil {
      removeStale(path, existing[path] ?? .missing)
    }
    let removed = Set(actions.map { Self.folded($0.path) })
    var spellings: [String: String] = [:]
    for file in files {
      if let other = spellings.updateValue(file.path, forKey: Self.folded(file.path)) {
        problems.append(Self.collision(file.path, other))
      }
      write(file, over: existing[file.path] ?? .missing, isRemoved: removed.contains(Self.folded(file.path)))
    }
  }

  var manifestIsCurrent: Bool { manifest == previous }
  var manifestIsMissing: Bool { previous == nil }

  /// The path as a file system that ignores case compares it.
  private static func folded(_ path: String) -> String { path.lowercased() }

  /// `isRemoved`: the plan removes a file whose path differs only by case, which may be the same file.
  private mutating func write(_ file: OutputFile, over entry: ExistingEntry, isRemoved: Bool) {
    switch entry {
    case .missing:
      actions.append(.write(path: file.path, contents: file.contents, isNew: true))
    case .file(file.contents) where !isRemoved:
      unchanged += 1
    case .file(let bytes) where GeneratedHeader.starts(bytes):
      actions.append(.write(path: file.path, contents: file.contents, isNew: false))
    case .file:
      problems.append(Self.foreign(file.path))
    case .link, .folder, .special:
      problems.append(Self.obstacle(file.path, entry))
    }
  }

  /// Removes a file only if it still begins with our header. Without the header it belongs to the user.
  private mutating func removeStale(_ path: String, _ entry: ExistingEntry) {
    guard case .file(let bytes) = entry, GeneratedHeader.starts(bytes) else { return }
    actions.append(.remove(path: path))
  }
}

// MARK: - What is in the way

extension OutputPlan {
  private static func foreign(_ path: String) -> FileProblem {
    FileProblem(
      rule: .foreignFile, path: path, reason: "exists and was not written by modelgen",
      remedy: "move it away, or choose another folder with `--output`")
  }

  private static func collision(_ path: String, _ other: String) -> FileProblem {
    FileProblem(
      rule: .cannotWrite, path: path, reason: "would be written twice (also as \(other))",
      remedy: "rename one of the schema files")
  }

  private static func obstacle(_ path: String, _ entry: ExistingEntry) -> FileProblem {
    let what =
      switch entry {
      case .link: "is a link, and modelgen never writes through a link"
      case .folder: "is a folder where a file should go"
      case .missing, .file, .special: "is not a regular file"
      }
    return FileProblem(rule: .cannotWrite, path: path, reason: what, remedy: "remove it and run again")
  }
}
