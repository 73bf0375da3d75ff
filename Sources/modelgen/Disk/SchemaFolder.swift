// Reading a schema folder: which files are schemas, and what stands in the way of reading them.
import ModelSchema

struct SchemaFolder {
  /// As the user gave it; diagnostics show file paths under it.
  var path: String

  /// One byte more than the reader accepts: enough for it to say that a file is too long, without loading it.
  private static let limit = 1 << 20 + 1

  /// All `.yaml` files of the folder, in the order of their names.
  func read() throws -> [SourceFile] {
    let folder = try open()
    let names = try folder.names()
    var problems = names.filter { $0.hasSuffix(".yml") && !$0.hasPrefix(".") }.map { misnamed($0) }
    var sources: [SourceFile] = []
    let schemas = names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
    var progress = Progress("Reading", total: schemas.count)
    defer { progress.finish() }
    for name in schemas {
      do throws(FileProblem) {
        sources.append(SourceFile(path: joined(path, name), bytes: try bytes(of: name, in: folder)))
        progress.reached(sources.count)
      } catch {
        problems.append(error)
      }
    }
    if schemas.isEmpty && problems.isEmpty { problems.append(empty) }
    guard problems.isEmpty else { throw FileProblems(problems) }
    return sources
  }

  private func open() throws -> FolderHandle {
    do throws(FileProblem) {
      return try FolderHandle.open(path, creating: false)
    } catch {
      var problem = error
      problem.remedy = "name the folder of your schemas, or start one with `modelgen init \(path)`"
      throw FileProblems([problem])
    }
  }

  private func bytes(of name: String, in folder: FolderHandle) throws(FileProblem) -> [UInt8] {
    let kind = try folder.kind(of: name)
    if kind == .folder {
      throw FileProblem(
        path: joined(path, name), reason: "is a folder, not a schema file", remedy: "rename it or move it away")
    }
    do throws(FileProblem) {
      return try folder.read(name, limit: Self.limit, followingLinks: true)
    } catch {
      guard kind == .link else { throw error }
      throw FileProblem(
        path: joined(path, name), reason: "is a link that leads to no file (\(error.reason))",
        remedy: "correct the link or remove it")
    }
  }

  private func misnamed(_ name: String) -> FileProblem {
    FileProblem(
      path: joined(path, name), reason: "would be ignored: schema files end in .yaml",
      remedy: "rename it to \(name.dropLast(4)).yaml")
  }

  private var empty: FileProblem {
    FileProblem(
      path: path, reason: "has no schema file", remedy: "start with `modelgen init \(path)`, or name another folder")
  }
}
