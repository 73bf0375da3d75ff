// Paths as text: joined, normalised, never looked up.

/// `folder/path`, as messages show it; a folder that is the current one is left out.
func joined(_ folder: String, _ path: String) -> String {
  if folder.isEmpty || folder == "." { return path }
  return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
}

/// The path without `.`, doubled `/` and resolvable `..`; `.` where nothing is left.
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

/// Whether `path` stays inside the folder that it is relative to, whatever lies there.
func staysInside(_ path: String) -> Bool {
  let parts = path.split(separator: "/", omittingEmptySubsequences: false)
  let isPlain = path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  return isPlain && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
}

/// `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
