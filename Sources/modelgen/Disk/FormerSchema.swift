// Finds the schema that `modelgen breaking --against` names: in the lock, in a folder, or in git.
import ModelSchema

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
    case .folder: return try schema(in: name, shown: name, &report)
    case .file: return try lockFile(&report)
    case .missing, .link, .special: return try fromGit(&report)
    }
  }

  private func lockFile(_ report: inout Report) throws(FileProblems) -> SchemaLock? {
    var parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let last = String(parts.removeLast())
    do throws(FileProblem) {
      let parent = parts.isEmpty ? "." : parts == [""] ? "/" : parts.joined(separator: "/")
      let bytes = try FolderHandle.open(parent, creating: false)
        .read(last, limit: SchemaLock.mostBytes + 1, followingLinks: true)
      let (lock, diagnostics) = SchemaLock.read(SourceFile(path: name, bytes: bytes))
      report.add(diagnostics)
      return lock
    } catch {
      throw FileProblems([error])
    }
  }

  /// Reads a schema folder. Its own mistakes are reported: they may be those of an older version of the language.
  private func schema(in path: String, shown: String, _ report: inout Report) throws(FileProblems) -> SchemaLock? {
    let sources = try SchemaFolder(path: path).read(Progress(isWanted: false)).map { source in
      // Not the temporary folder of a commit.
      SourceFile(path: shown + source.path.dropFirst(path.count), bytes: source.bytes)
    }
    let result = SchemaReader.read(sources)
    guard let schema = result.schema else {
      report.add(result.diagnostics)
      return nil
    }
    return SchemaLock(of: schema, called: name)
  }

  /// Takes the schema folder out of a commit into a temporary folder, and reads it there.
  private func fromGit(_ report: inout Report) throws(FileProblems) -> SchemaLock? {
    guard !name.isEmpty, !name.hasPrefix("-") else { throw unknown("") }
    var template =
      Array((environment("TMPDIR") ?? "/tmp").utf8CString.dropLast()) + Array("/modelgen.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw unknown(String(cString: strerror(errno))) }
    let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { _ = shell("rm -rf \(quoted(temporary))") }
    let archive = temporary + "/.archive.tar"
    let (status, output) = shell(
      "git -C \(quoted(folder)) archive --format=tar -o \(quoted(archive)) \(quoted(name)) . "
        + "&& tar -x -f \(quoted(archive)) -C \(quoted(temporary))")
    guard status == 0, let names = try? FolderHandle.open(temporary, creating: false).names(),
      names.contains(where: { $0.hasSuffix(".yaml") })
    else { throw unknown(output) }
    return try schema(in: temporary, shown: "\(name):\(folder)", &report)
  }

  private func unknown(_ reason: String) -> FileProblems {
    let line = reason.split(whereSeparator: \.isNewline).first.map { " (\($0))" } ?? ""
    return FileProblems([
      FileProblem(
        rule: .unknownSchema, path: folder,
        reason: "`\(name)` is not a release, a folder, a lock, or a commit with this folder\(line)",
        remedy: lock.map { "the releases are \($0.releases.map(\.description).joined(separator: ", "))" }
          ?? "nothing is released yet; name a commit, branch or tag of git, or a folder")
    ])
  }

  private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Runs a command of `sh`, and returns its status and all that it said.
  private func shell(_ command: String) -> (status: Int32, output: String) {
    guard let pipe = popen("{ \(command); } 2>&1", "r") else { return (-1, String(cString: strerror(errno))) }
    var output: [UInt8] = []
    while output.count < 65_536, case let byte = getc(pipe), byte != EOF {
      output.append(UInt8(truncatingIfNeeded: byte))
    }
    return (pclose(pipe), String(decoding: output, as: UTF8.self))
  }
}
