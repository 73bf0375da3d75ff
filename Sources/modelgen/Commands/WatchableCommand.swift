// Commands that can go on running: with `--watch` they run again when a schema file, `modelgen.yaml` or the lock changes.
import ArgumentParser
import Commands

protocol WatchableCommand: SchemaCommand {
  var watch: Bool { get }
}

extension WatchableCommand {
  func run() throws {
    guard watch else { return try runOnce() }
    // A folder that is not there is a wrong word on the command line, and nothing to wait for.
    guard FolderHandle.kind(at: schema.folder) == .folder else { return try runOnce() }
    WatchedFolder.holdSignals()
    let folder = WatchedFolder(path: schema.folder)
    var watcher = Watcher()
    if !schema.quiet { Terminal.print("Watching \(schema.folder). Ctrl-C ends it.") }
    while true {
      if case .run(let changed) = watcher.look(folder.stamps()) { runAgain(after: changed) }
      WatchedFolder.pause()
    }
  }

  /// One run, with one line on standard output, and findings as they are without `--watch`.
  private func runAgain(after changed: [String]) {
    var report = report()
    let succeeded = report.status == .clean
    let result = succeeded ? String(report.closing.prefix { !$0.isNewline }) : "Waiting for the next change."
    report.closing = (changed.isEmpty ? "" : some(changed) + ": ") + result
    report.show(schema.format, quiet: schema.quiet)
    if !succeeded, !schema.quiet { Terminal.print(report.closing) }
  }

  /// `--watch` prints a line a run, and no whole JSON text.
  func checkWatch() throws {
    if watch, schema.format == .json {
      throw ValidationError("'--watch' never ends, so its output is no JSON text: leave '--format json' out.")
    }
  }
}
