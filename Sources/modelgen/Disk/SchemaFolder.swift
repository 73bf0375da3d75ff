// Reads a schema folder: finds its schema files and reports what keeps them from being read.
import ModelSchema

struct SchemaFolder {
  /// As the user gave it. Diagnostics show the paths of files below it.
  var path: String

  /// One byte more than the reader accepts, so that it can report a file as too long without loading all of it.
  private static let limit = 1 << 20 + 1

  /// All `.yaml` files of the folder, sorted by name.
  func read(_ progress: Progress) throws(FileProblems) -> [SourceFile] {
    var problems: [FileProblem] = []
    var sources: [SourceFile] = []
    let (folder, names) = try open()
    let schemas = names.filter { $0.hasSuffix(".yaml") }
    for name in names where Self.isMisnamed(name) { problems.append(misnamed(name)) }
    problems += inSubfolders(names, of: folder)
    for name in schemas {
      do throws(FileProblem) {
        sources.append(SourceFile(path: joined(path, name), bytes: try bytes(of: name, in: folder)))
        progress.show("Reading", sources.count, of: schemas.count)
      } catch {
        problems.append(error)
      }
    }
    if schemas.isEmpty && problems.isEmpty { problems.append(empty) }
    guard problems.isEmpty else { throw FileProblems(problems) }
    return sources
  }

  /// The text of the lock; nil where nothing was released yet.
  func lock() throws(FileProblems) -> SourceFile? {
    do throws(FileProblem) {
      let folder = try FolderHandle.open(path, creating: false)
      guard try folder.kind(of: SchemaLock.fileName) != .missing else { return nil }
      let bytes = try folder.read(SchemaLock.fileName, limit: SchemaLock.mostBytes + 1, followingLinks: true)
      return SourceFile(path: joined(path, SchemaLock.fileName), bytes: bytes)
    } catch {
      throw FileProblems([error])
    }
  }

  /// Writes the lock, and returns its path.
  func write(_ lock: SchemaLock) throws(FileProblems) -> String {
    do throws(FileProblem) {
      let folder = try FolderHandle.open(path, creating: false)
      try folder.replace(SchemaLock.fileName, contents: Array(lock.text.utf8))
      return joined(path, SchemaLock.fileName)
    } catch {
      throw FileProblems([error])
    }
  }

  /// Rewrites schema files that were read before. Where one must not be, or has changed meanwhile, none is written.
  func rewrite(_ files: [(old: SourceFile, new: SourceFile)]) throws(FileProblems) {
    guard !files.isEmpty else { return }
    do throws(FileProblem) {
      let folder = try FolderHandle.open(path, creating: false)
      for (old, _) in files { try folder.checkUnchanged(Self.name(of: old), old.bytes) }
      for (old, new) in files {
        try folder.replace(Self.name(of: old), contents: new.bytes, keepingPermissions: true)
      }
    } catch {
      throw FileProblems([error])
    }
  }

  private static func name(of file: SourceFile) -> String {
    file.path.split(separator: "/").last.map(String.init) ?? file.path
  }

  /// Opens the folder and lists its names without hidden ones.
  private func open() throws(FileProblems) -> (FolderHandle, [String]) {
    do throws(FileProblem) {
      let folder = try FolderHandle.open(path, creating: false)
      return (folder, try folder.names().filter { !$0.hasPrefix(".") })
    } catch {
      throw FileProblems([explained(error)])
    }
  }

  /// The problem with a better reason and remedy, for a first-time user whose folder does not open.
  private func explained(_ problem: FileProblem) -> FileProblem {
    var problem = problem
    switch FolderHandle.kind(at: path) {
    case .missing:
      let example = foldersOfTargets.first.map { ", such as \($0)" } ?? ""
      problem.remedy = "name the folder of your schemas\(example), or start one with `\(start)`"
    case .file:
      problem.reason = "is a file, not a folder with schema files"
      problem.remedy = "name the folder that it is in"
    case .folder, .link, .special: break
    }
    return problem
  }

  /// Where the build plugin finds schemas, in the package of the current folder.
  private var foldersOfTargets: [String] {
    let targets = try? FolderHandle.open("Sources", creating: false).names().sorted()
    return (targets ?? []).map { "Sources/\($0)/Schemas" }.filter { FolderHandle.kind(at: $0) == .folder }
  }

  private func bytes(of name: String, in folder: FolderHandle) throws(FileProblem) -> [UInt8] {
    let kind = try folder.kind(of: name)
    if kind == .folder {
      throw FileProblem(
        rule: .cannotRead, path: joined(path, name), reason: "is a folder, not a schema file",
        remedy: "rename it or move it away")
    }
    // The name was listed a moment ago.
    if kind == .missing {
      throw FileProblem(
        rule: .cannotRead, path: joined(path, name), reason: "is gone again, or its name is not UTF-8",
        remedy: "give it a name of letters")
    }
    do throws(FileProblem) {
      return try folder.read(name, limit: Self.limit, followingLinks: true)
    } catch {
      guard kind == .link else { throw error }
      throw FileProblem(
        rule: .cannotRead, path: joined(path, name), reason: "is a link that leads to no file (\(error.reason))",
        remedy: "correct the link or remove it")
    }
  }

  /// Whether a name ends like one of YAML, but not in `.yaml`: `.yml`, `.YAML`.
  private static func isMisnamed(_ name: String) -> Bool {
    !name.hasSuffix(".yaml") && [".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
  }

  private func misnamed(_ name: String) -> FileProblem {
    FileProblem(
      rule: .ignoredFile, path: joined(path, name), reason: "would be ignored, because schema files end in .yaml",
      remedy: "rename it to \(name.prefix { $0 != "." }).yaml")
  }

  /// Reports folders with schema files. One folder is read, because the names of files are those of models.
  private func inSubfolders(_ names: [String], of folder: FolderHandle) -> [FileProblem] {
    names.compactMap { name in
      guard (try? folder.kind(of: name)) == .folder, let inner = try? folder.folder(name, creating: false),
        let file = (try? inner.names())?.first(where: { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") })
      else { return nil }
      return FileProblem(
        rule: .ignoredFile, path: joined(joined(path, name), file),
        reason: "would be ignored, because it is in a folder inside \(path)",
        remedy: "move it into \(path), where all schema files are, or move \(name) elsewhere")
    }
  }

  private var empty: FileProblem {
    FileProblem(
      rule: .cannotRead, path: path, reason: "has no schema file",
      remedy: "start with `\(start)`, or name another folder")
  }

  private var start: String { "modelgen init" + (path == "Schemas" ? "" : " " + quoted(path)) }
}
