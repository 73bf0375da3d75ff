// Describes a plan for the user: a summary, and the differences for `--check`.

extension OutputPlan {
  /// A file that is missing, out of date or no longer needed.
  struct Difference: Hashable {
    var path: String
    var reason: String
  }

  var differences: [Difference] {
    var all = actions.map { action in
      switch action {
      case .write(let path, _, isNew: true): Difference(path: path, reason: "is missing")
      case .write(let path, _, isNew: false): Difference(path: path, reason: "is out of date")
      case .remove(let path): Difference(path: path, reason: "is no longer needed")
      }
    }
    if !manifestIsCurrent {
      all.append(
        Difference(path: Manifest.fileName, reason: manifestIsMissing ? "is missing" : "is out of date"))
    }
    return all.sorted { $0.path < $1.path }
  }

  func summary(folder: String) -> String {
    let removed = actions.count { if case .remove = $0 { true } else { false } }
    return Self.summary(folder: folder, written: actions.count - removed, unchanged: unchanged, removed: removed)
  }

  static func summary(folder: String, written: Int = 0, unchanged: Int, removed: Int = 0) -> String {
    "\(folder): \(counted(written, "file")) written, \(unchanged) unchanged, \(removed) removed."
  }
}
