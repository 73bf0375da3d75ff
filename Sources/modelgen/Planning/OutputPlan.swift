// From what is there and what should be there to what to do: pure, so that every case is a row in a test.

/// The entry at a path of the output folder.
enum ExistingEntry: Hashable {
  case missing
  /// The first bytes, at least one more than the file that should be there.
  case file([UInt8])
  case link
  case folder
  /// A device, a pipe, a socket.
  case special
}

/// The changes of one run of `generate`.
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

  /// Removals come first: where letters' case does not count, an old name can be the place of a new file.
  private(set) var actions: [Action] = []
  /// How many files are right as they are.
  private(set) var unchanged = 0
  /// The folder's manifest after the run.
  private(set) var manifest: Manifest
  /// The folder's present manifest; nil where there is none.
  private let previous: Manifest?
  /// Paths are relative to the output folder. With a problem, nothing may be done.
  private(set) var problems: [FileProblem] = []

  /// `kinds` are the kinds of output in `files`, or nil for all: what other kinds once wrote is left alone.
  /// A path that `existing` does not have is missing; `previous` is nil where there is no manifest.
  init(files: [OutputFile], previous: Manifest?, kinds: Set<String>?, existing: [String: ExistingEntry]) {
    self.previous = previous
    let before = previous ?? Manifest()
    manifest = Manifest(kinds: before.kinds.filter { entry in kinds.map { !$0.contains(entry.value) } ?? false })
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

  /// A path as a file system without case compares it.
  private static func folded(_ path: String) -> String { path.lowercased() }

  /// `isRemoved`: a file goes whose path differs from this one by case only, and it may be the same file.
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

  /// Only a file that still looks like ours goes; one that was made into something else is its owner's now.
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
