// The output folder: reads what is in it and carries out a plan. It never leaves the folder or follows a link in it.
import ModelSchema

struct OutputFolder {
  /// The path for messages.
  var path: String
  /// Nil where the folder does not exist and is not to be created.
  let root: FolderHandle?

  /// Opens the folder of `--output`, or else the one that `modelgen.yaml` names.
  ///
  /// On a path of the command line, links above the last component are followed, so that a checkout below a link works
  /// (`/tmp` on macOS). On the path in `modelgen.yaml` every component must be a folder and no link.
  static func open(
    output: String?, configured: String, schemaFolder: String, creating: Bool
  ) throws(FileProblems) -> OutputFolder {
    do throws(FileProblem) {
      guard let output else { return try beside(schemaFolder, configured, creating) }
      return try named(normalized(output), creating)
    } catch {
      throw FileProblems([error])
    }
  }

  private static func named(_ path: String, _ creating: Bool) throws(FileProblem) -> OutputFolder {
    let parts = path.split(separator: "/")
    guard let last = parts.last, last != "..", last != "." else {
      return try OutputFolder(path: path, root: FolderHandle.open(path, creating: creating))
    }
    let parent = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
    let base = parent.isEmpty ? "." : parent
    guard creating || exists(base) else { return OutputFolder(path: path, root: nil) }
    let handle = try FolderHandle.open(base, creating: creating)
    return try OutputFolder(path: path, root: handle.folder(String(last), creating: creating, shownAs: path))
  }

  private static func beside(
    _ schemaFolder: String, _ output: String, _ creating: Bool
  ) throws(FileProblem) -> OutputFolder {
    guard !lies(FolderHandle.absolute(joined(schemaFolder, output)), in: FolderHandle.absolute(schemaFolder)) else {
      throw FileProblem(
        rule: .cannotWrite, path: joined(schemaFolder, "modelgen.yaml"),
        reason: "`output:` leads back into the schema folder", remedy: "name a folder beside it, such as `../Generated`"
      )
    }
    let path = normalized(joined(schemaFolder, output))
    let parts = output.split(separator: "/").filter { $0 != "." }
    // The way up goes by the path that the user typed: beside a schema folder that is a link, not beside its target.
    let up = parts.prefix { $0 == ".." }
    var shown = normalized(up.reduce(schemaFolder) { joined($0, String($1)) })
    let base = up.reduce(FolderHandle.absolute(schemaFolder)) { path, _ in normalized(joined(path, "..")) }
    var handle = try FolderHandle.open(up.isEmpty ? schemaFolder : base, creating: false)
    for part in parts.dropFirst(up.count) {
      shown = joined(shown, String(part))
      let isParent = part == ".."
      guard let next = try handle.folder(String(part), creating: creating && !isParent, shownAs: normalized(shown))
      else { return OutputFolder(path: path, root: nil) }
      handle = next
    }
    return OutputFolder(path: path, root: handle)
  }

  private static func exists(_ path: String) -> Bool {
    (try? FolderHandle.open(path, creating: false)) != nil
  }
}

extension OutputFolder {
  /// The text of the last run's manifest; nil where there is none.
  func manifest() throws(FileProblems) -> SourceFile? {
    guard let root else { return nil }
    do throws(FileProblem) {
      guard try root.kind(of: Manifest.fileName) != .missing else { return nil }
      let bytes = try root.read(Manifest.fileName, limit: 16 << 20, followingLinks: false)
      return SourceFile(path: joined(path, Manifest.fileName), bytes: bytes)
    } catch {
      throw FileProblems([error])
    }
  }

  /// The last run's manifest; nil where there is none.
  func readManifest() throws(FileProblems) -> Manifest? {
    guard let source = try manifest() else { return nil }
    return try Manifest(text: String(decoding: source.bytes, as: UTF8.self), path: source.path)
  }

  /// What a run would change. Throws what is in its way.
  func plan(
    _ files: [OutputFile], of schema: String, _ previous: Manifest?, kinds: Set<String>?
  ) throws(FileProblems) -> OutputPlan {
    if let problem = previous?.problem(of: schema, path: joined(path, Manifest.fileName)) {
      throw FileProblems([problem])
    }
    let existing = try existing(of: files, previous)
    let plan = OutputPlan(files: files, of: schema, previous: previous, kinds: kinds, existing: existing)
    guard plan.problems.isEmpty else { throw FileProblems(plan.problems.map { $0.moved(into: path) }) }
    return plan
  }

  /// The entry at every path that a plan can change.
  func existing(of files: [OutputFile], _ previous: Manifest?) throws(FileProblems) -> [String: ExistingEntry] {
    var sizes = Dictionary(files.map { ($0.path, $0.contents.count) }, uniquingKeysWith: max)
    for path in (previous?.kinds ?? [:]).keys where sizes[path] == nil { sizes[path] = 0 }
    var entries: [String: ExistingEntry] = [:]
    var problems: [FileProblem] = []
    for (path, size) in sizes {
      do throws(FileProblem) {
        entries[path] = try entry(path, limit: max(size + 1, GeneratedHeader.reach))
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw FileProblems(problems) }
    return entries
  }

  /// Generated files beside those that a run writes, such as the ones that a lost manifest has named. Sorted.
  func strays(besides files: [OutputFile]) throws(FileProblems) -> [String] {
    guard let root else { return [] }
    let written = Set(files.map(\.path))
    var strays: [String] = []
    do throws(FileProblem) {
      for parent in Set(files.map { $0.path.split(separator: "/").dropLast().joined(separator: "/") } + [""]) {
        var folder: FolderHandle? = root
        for part in parent.split(separator: "/") { folder = try folder?.folder(String(part), creating: false) }
        // A folder inside with a manifest is that of another schema.
        guard let folder else { continue }
        if !parent.isEmpty, try folder.kind(of: Manifest.fileName) != .missing { continue }
        for name in try folder.names() where try folder.kind(of: name) == .file {
          let path = parent.isEmpty ? name : "\(parent)/\(name)"
          guard !written.contains(path), path != Manifest.fileName else { continue }
          let beginning = try? folder.read(name, limit: GeneratedHeader.reach, followingLinks: false)
          if let beginning, GeneratedHeader.starts(beginning) { strays.append(path) }
        }
      }
    } catch {
      throw FileProblems([error])
    }
    return strays.sorted()
  }

  /// The beginning of a file in the folder, as text; nil where there is none that can be read.
  func text(of path: String, limit: Int) -> String? {
    guard let (folder, name) = try? parent(of: path, creating: false),
      let bytes = try? folder?.read(name, limit: limit, followingLinks: false)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Carries out a plan. The manifest is written last, so that it names a new file only after that was written.
  func apply(_ plan: OutputPlan, _ progress: Progress) throws(FileProblems) {
    guard let root else { preconditionFailure("a plan is applied to a folder that exists") }
    do throws(FileProblem) {
      for (index, action) in plan.actions.enumerated() {
        switch action {
        case .write(let path, let contents, _):
          let (folder, name) = try parent(of: path, creating: true)
          try folder?.replace(name, contents: contents)
        case .remove(let path):
          let (folder, name) = try parent(of: path, creating: false)
          try folder?.remove(name)
        }
        progress.show("Writing", index, of: plan.actions.count)
      }
      if !plan.manifestIsCurrent { try root.replace(Manifest.fileName, contents: Array(plan.manifest.text.utf8)) }
    } catch {
      throw FileProblems([error])
    }
  }

  func entry(_ path: String, limit: Int) throws(FileProblem) -> ExistingEntry {
    let (folder, name) = try parent(of: path, creating: false)
    guard let folder else { return .missing }
    switch try folder.kind(of: name) {
    case .missing: return .missing
    case .file: return .file(try folder.read(name, limit: limit, followingLinks: false))
    case .folder: return .folder
    case .link: return .link
    case .special: return .special
    }
  }

  /// The open folder that holds `path`, reached without following a link, and the file's name in it. The folder is nil
  /// where it does not exist.
  private func parent(of path: String, creating: Bool) throws(FileProblem) -> (FolderHandle?, String) {
    precondition(staysInside(path), "paths come from checked names or from a checked manifest")
    var parts = path.split(separator: "/")
    let name = String(parts.removeLast())
    var folder = root
    for part in parts { folder = try folder?.folder(String(part), creating: creating) }
    return (folder, name)
  }
}
