// The record of the last run, in a folder of its own inside the output folder. No failure matters here: without a record
// a run does everything.
import ModelSchema

extension OutputFolder {
  func lastRun() -> RunRecord? {
    guard let folder = try? root?.folder(RunRecord.folderName, creating: false),
      let bytes = try? folder.read(RunRecord.fileName, limit: 1 << 16, followingLinks: false)
    else { return nil }
    return RunRecord(text: String(decoding: bytes, as: UTF8.self))
  }

  func remember(_ record: RunRecord) {
    guard record != lastRun(), let folder = try? root?.folder(RunRecord.folderName, creating: true) else { return }
    _ = try? folder.create(".gitignore", contents: Array("*\n".utf8))
    try? folder.replace(RunRecord.fileName, contents: Array(record.text.utf8))
  }

  /// The manifest, and the files of a kind that it names, or of all kinds; nil where one of them is not a file.
  func outputs(only kind: String?) throws(FileProblems) -> (manifest: Manifest, files: [OutputFile])? {
    guard let source = try manifest() else { return nil }
    let manifest = try Manifest(text: String(decoding: source.bytes, as: UTF8.self), path: source.path)
    guard !manifest.hasConflict else { return nil }
    var files: [OutputFile] = []
    for (path, itsKind) in manifest.kinds where kind == nil || kind == itsKind {
      guard case .file(let contents)? = try? entry(path, limit: .max) else { return nil }
      files.append(OutputFile(kind: itsKind, path: path, contents: contents))
    }
    return (manifest, files)
  }
}
