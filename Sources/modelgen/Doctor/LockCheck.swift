// The releases of the schema: the newest one, what has changed since, and whether the lock can be read.
import ModelSchema

enum LockCheck {
  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    guard !project.sources.isEmpty else { return [] }
    let path = joined(project.folder, SchemaLock.fileName)
    guard project.lockProblems.isEmpty else {
      return project.lockProblems.map { .problem("releases", "\(path): \($0)", nil) }
    }
    guard let last = project.lock?.releases.last else {
      return [
        .note(
          "releases", "none, so everything may change",
          "Run \(project.command("release 1.0")) when an app with the schema goes out to people")
      ]
    }
    guard project.schema != nil else {
      return [.note("releases", "the newest is \(last), not compared with the schema, which has errors")]
    }
    let since = "\(counted(project.changes.count, "change")) since"
    guard !project.changes.contains(where: \.isRefused) else {
      let text = "the newest is \(last), and a change since would lose or misread data"
      return [.problem("releases", text, "Run \(project.command("lint"))")]
    }
    guard !project.changes.isEmpty else { return [.ok("releases", "the newest is \(last), nothing has changed since")] }
    return [.note("releases", "the newest is \(last), \(since)", "\(project.command("breaking")) lists them")]
  }
}
