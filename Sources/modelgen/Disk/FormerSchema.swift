// Finds the schema that `modelgen breaking --against` names: in the lock, in a folder, or in git.
import ModelSchema

struct FormerSchema {
  /// A release, a folder, a lock file, or a commit, branch or tag.
  let name: String
  /// The schema folder of today.
  let folder: String
  let lock: SchemaLock?

  init(_ name: String, of folder: String, _ lock: SchemaLock?) {
    self.name = name
    self.folder = folder
    self.lock = lock
  }

  /// The facts of the former schema as a lock. Nil after a mistake in it, which is reported.
  func read(_ report: inout Report) throws(FileProblems) -> SchemaLock? {
    if let version = ReleaseVersion(name), let release = lock?.only(version) { return release }
    switch FolderHandle.kind(at: name) {
    case .folder: return schema(try SchemaFolder(path: name).read(Progress(isWanted: false)), &report)
    case .file: return try lockFile(&report)
    case .missing, .link, .special:
      do throws(CommittedFolder.Failure) {
        return schema(try CommittedFolder(path: folder, reference: name).read(), &report)
      } catch {
        throw unknown(error.reason)
      }
    }
  }

  private func lockFile(_ report: inout Report) throws(FileProblems) -> SchemaLock? {
    do throws(FileProblem) {
      let bytes = try FolderHandle.contents(of: name, limit: SchemaLock.mostBytes + 1)
      let (lock, diagnostics) = SchemaLock.read(SourceFile(path: name, bytes: bytes))
      report.add(diagnostics)
      return lock
    } catch {
      throw FileProblems([error])
    }
  }

  /// Reads a schema. Its own mistakes are reported: they may be those of an older version of the language.
  private func schema(_ sources: [SourceFile], _ report: inout Report) -> SchemaLock? {
    let result = SchemaReader.read(sources)
    if let schema = result.schema { return SchemaLock(of: schema, called: name) }
    report.sources += sources
    report.add(result.diagnostics)
    return nil
  }

  private func unknown(_ reason: String) -> FileProblems {
    FileProblems([
      FileProblem(
        rule: .unknownSchema, path: folder,
        reason: "`\(name)` is not a release, a folder, a lock, or a commit with this folder (\(reason))",
        remedy: lock.map { "the releases are \($0.releases.map(\.description).joined(separator: ", "))" }
          ?? "nothing is released yet; name a commit, branch or tag of git, or a folder")
    ])
  }
}
