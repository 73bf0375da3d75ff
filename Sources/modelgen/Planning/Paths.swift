// Functions on paths as text. None of them looks at the file system.

/// `folder/path` for messages; an empty folder or `.` is left out.
func joined(_ folder: String, _ path: String) -> String {
  if folder.isEmpty || folder == "." { return path }
  return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
}

/// The path without `.`, without doubled `/`, and without each `..` that has a name before it; `.` where nothing is
/// left.
func normalized(_ path: String) -> String {
  var parts: [Substring] = []
  for part in path.split(separator: "/") where part != "." {
    if part == "..", let last = parts.last, last != ".." {
      parts.removeLast()
    } else if part != ".." || !path.hasPrefix("/") {
      parts.append(part)
    }
  }
  let text = parts.joined(separator: "/")
  if path.hasPrefix("/") { return "/" + text }
  return text.isEmpty ? "." : text
}

/// Whether the text of a relative path stays inside its folder: no empty part, no `.` or `..`, no control character.
func staysInside(_ path: String) -> Bool {
  let parts = path.split(separator: "/", omittingEmptySubsequences: false)
  let isPlain = path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  return isPlain && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
}

/// Whether `path` is `folder` or lies below it, judged by the texts. Both are relative to the same folder.
func lies(_ path: String, in folder: String) -> Bool {
  let (path, folder) = (normalized(path), normalized(folder))
  return path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
}

/// The path as one word of a shell command, for users to copy.
func quoted(_ path: String) -> String {
  let isPlain = path.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
  return isPlain && !path.isEmpty
    ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}

/// `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// The first three of many names: `a, b, c and 4 more`.
func some(_ names: [String]) -> String {
  let first = names.prefix(3).joined(separator: ", ")
  return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
}
