// The command `export`, which writes everything that a user may read.

import ArgumentParser
import Commands
import Determinism
import Foundation
import JSON
import SyncProtocol
import SyncServer
import WireFormat

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes everything that a user may read into a folder, also beside a running server.",
    discussion: """
      The folder gets `export.jsonl`, a line of JSON for each queue, object and file, and the files themselves as \
      `files/QUEUE/SHA256`. The content of an object is the base64 of a message of its model, in the .proto file that \
      `modelgen generate` writes.

      With PostgreSQL, --files says where the files lie; without it their names are written only.

      EXAMPLE:
        modelserver export --database team.sqlite --user anna --to anna
      """)

  @OptionGroup
  var database: DatabaseOptions

  @Option(
    help: ArgumentHelp(
      "With PostgreSQL: where the files of users lie, as for `serve`.", valueName: "folder|s3://…"))
  var files: String?

  @OptionGroup
  var user: UserOption

  @Option(help: "The folder to make; it must not exist yet.")
  var to: String

  func validate() throws {
    if database.database != nil, files != nil {
      throw ValidationError("--files is for PostgreSQL; with --database, files lie beside it.")
    }
  }

  func run() throws {
    if let database = database.database { try DatabasePath(database).mustExist("--database") }
    let (id, files) = (user.id, try storage())
    var missing = 0
    let counts = try database.read { snapshot in
      if try snapshot.queues(of: id, after: nil, limit: 1).isEmpty { throw user.unknown }
      try Self.makeFolder(to)
      return try export(id, files, snapshot, &missing)
    }
    let bytes = files == nil ? " by name" : ""
    Terminal.print(
      """
      wrote \(counts.queues) queues of the user \(id) to \(to): \(counts.objects) objects, \
      \(counts.files - missing) files\(bytes)
      """)
    if missing > 0 { throw Mistake.inputOutput("The bytes of \(missing) files are missing, as said above.") }
  }

  private func storage() throws -> (any FileStorage)? {
    if let database = database.database { return FolderStorage(path: DatabasePath(database).files) }
    return try files.map { try FilesPlace($0, ProcessInfo.processInfo.environment).open(creates: false) }
  }

  private static func makeFolder(_ path: String) throws {
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) } catch {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw Mistake.inputOutput(
        isThere
          ? "--to: \(path) is there already; name a folder that does not exist."
          : "--to: the folder \(path) cannot be made: \(error.localizedDescription)")
    }
  }

  private func export(
    _ user: UserID, _ files: (any FileStorage)?, _ snapshot: any QueueSnapshot, _ missing: inout Int
  ) throws -> UserExport.Counts {
    let path = "\(to)/export.jsonl"
    let lines = try Self.newFile(path)
    defer { try? lines.close() }
    let export = UserExport(of: user, snapshot) { line in
      try Self.write(line.encoded + [UInt8(ascii: "\n")], to: lines, path)
    }
    let time = Timestamp(millisecondsSince1970: RuntimeEnvironment.current.nowMilliseconds())
    return try export.run(at: time) { place, file in
      guard let files, try !copy(place, file, files) else { return }
      missing += 1
      Terminal.error("warning: the bytes of the file \(place.hash) of \(place.queue) are not there.")
    }
  }

  /// Returns whether all bytes are there; otherwise leaves nothing.
  private func copy(_ place: FileKey, _ file: StoredFile, _ files: any FileStorage) throws -> Bool {
    guard try files.size(of: place) == file.size else { return false }
    let folder = "\(to)/files/\(place.queue)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let target = try Self.newFile("\(folder)/\(place.hash)")
    defer { try? target.close() }
    var offset: Int64 = 0
    while offset < file.size {
      guard let bytes = try files.read(place, at: offset, count: files.chunk), !bytes.isEmpty else {
        try FileManager.default.removeItem(atPath: "\(folder)/\(place.hash)")
        return false
      }
      try Self.write(bytes, to: target, "\(folder)/\(place.hash)")
      offset += Int64(bytes.count)
    }
    return true
  }

  private static func newFile(_ path: String) throws -> FileHandle {
    guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
    else { throw Mistake.inputOutput("--to: cannot write \(path).") }
    return file
  }

  private static func write(_ bytes: [UInt8], to file: FileHandle, _ path: String) throws {
    do { try file.write(contentsOf: Data(bytes)) } catch {
      throw Mistake.inputOutput("--to: cannot write \(path): \(error.localizedDescription)")
    }
  }
}
