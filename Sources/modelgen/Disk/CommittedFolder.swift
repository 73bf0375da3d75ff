// Reads the schema files of a folder as a commit has them. Git reads them: nothing is written or checked out.
import ModelSchema

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

struct CommittedFolder {
  /// The folder of today, in a working tree.
  let path: String
  /// A commit, branch or tag.
  let reference: String

  /// What kept the files from being read.
  struct Failure: Error {
    var reason: String
  }

  /// The `.yaml` files, by name. Their paths are as git writes them: `main:Schemas/note.yaml`.
  func read() throws(Failure) -> [SourceFile] {
    guard !reference.isEmpty, !reference.hasPrefix("-") else { throw Failure(reason: "it is not a name of git") }
    let git = "git -C \(quoted(path))"
    let (status, text) = try run(
      "export LC_ALL=C; { \(git) rev-parse --verify \(quoted(reference + "^{commit}")) && \(git) rev-parse --show-prefix; } 2>&1"
    )
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard status == 0, lines.count > 1 else { throw Failure(reason: String(lines.first ?? "")) }
    let folder = "\(lines[0]):\(lines[1])"
    // Names with blanks, which no schema file has, are cut off and left out.
    let (_, batch) = try run(
      "\(git) ls-tree \(lines[0]) ./ 2>/dev/null | awk -v folder=\(quoted(folder)) '{ print folder $4, $4 }' | "
        + "\(git) cat-file --batch='%(objecttype) %(objectsize) %(rest)' --follow-symlinks 2>/dev/null")
    let files = try Self.files(in: batch).filter { $0.path.hasSuffix(".yaml") }
    guard !files.isEmpty else { throw Failure(reason: "the commit has no schema file in this folder") }
    return files.map { SourceFile(path: "\(reference):\(joined(path, $0.path))", bytes: $0.bytes) }
  }

  /// The files of git's batch format: a line `blob SIZE NAME`, the content, and a line end.
  private static func files(in batch: [UInt8]) throws(Failure) -> [SourceFile] {
    var files: [SourceFile] = []
    var rest = batch[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      rest = rest[(end + 1)...]
      guard words.count == 3, let size = Int(words[1]), size < rest.count else {
        throw Failure(reason: "git cannot read \(words.joined(separator: " "))")
      }
      if words[0] == "blob" {
        files.append(SourceFile(path: String(words[2]), bytes: Array(rest.prefix(size))))
      }
      rest = rest.dropFirst(size + 1)
    }
    return files
  }

  /// Runs a command of `sh`, and returns its status and output.
  private func run(_ command: String) throws(Failure) -> (status: Int32, output: [UInt8]) {
    guard let pipe = popen(command, "r") else { throw Failure(reason: String(cString: strerror(errno))) }
    var output: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&part, 1, part.count, pipe), count > 0 { output += part.prefix(count) }
    return (pclose(pipe), output)
  }
}
