// A PostgreSQL of the tests' own: a cluster in a temporary folder, which only they can reach.

import Foundation

/// A running cluster, without a port and with a socket in its folder. It ends with the value that holds it.
///
/// `@unchecked Sendable`: its lock guards whether it runs.
public final class PostgresCluster: @unchecked Sendable {
  private let folder: TemporaryFolder
  private let control: Program
  private let isSafe: Bool
  private let lock = NSLock()
  private var isRunning = false
  private var watch: RunningProgram?

  /// The cluster of this process, started when it is first asked for, and stopped when the process ends. Nil if PostgreSQL
  /// is not installed; the process ends then if `CI` is set, since a check must not vanish there.
  public static let shared: PostgresCluster? = {
    do { return try start() } catch {
      print("PostgreSQL does not start, so its tests do not run: \(error)")
      precondition(ProcessInfo.processInfo.environment["CI"] != "true", "PostgreSQL has to start in CI")
      return nil
    }
  }()

  /// Starts a cluster. Returns nil, and says so, if PostgreSQL is not installed; throws then if `CI` is set. `isSafe`:
  /// whether commits survive a power cut, which makes them slow.
  public static func start(isSafe: Bool = false) throws -> PostgresCluster? {
    guard let initdb = try Program.find("initdb", first: folders),
      let control = try Program.find("pg_ctl", first: folders)
    else { return nil }
    return try PostgresCluster(initdb, control, isSafe: isSafe)
  }

  /// Where Debian and Homebrew put the programs of the server: not in `PATH`.
  private static var folders: [String] {
    let debian = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return debian.sorted { $0.localizedStandardCompare($1) == .orderedDescending }
      .map { "/usr/lib/postgresql/\($0)/bin" } + ["/opt/homebrew/opt/postgresql@17/bin", "/opt/homebrew/bin"]
  }

  private init(_ initdb: Program, _ control: Program, isSafe: Bool) throws {
    // The folder for temporary files may be closed to the account of PostgreSQL.
    folder = try geteuid() == 0 ? TemporaryFolder(in: URL(filePath: "/tmp")) : TemporaryFolder()
    (self.control, self.isSafe) = (control, isSafe)
    if geteuid() == 0 { try FileManager.default.setAttributes([.ownerAccountName: Self.owner], ofItemAtPath: path) }
    try Self.run(
      initdb, ["-D", data, "-U", "modelserver", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale"], path)
    try begin()
    try endWithProcess()
  }

  /// Starts a shell that stops the server once this process is gone, however it has ended.
  private func endWithProcess() throws {
    let script = """
      process=$1 folder=$2; shift 2
      while kill -0 "$process" 2>/dev/null; do sleep 1; done
      "$@"; rm -rf "$folder"
      """
    let stop = Self.command(control, ["-D", data, "-m", "immediate", "stop"])
    let shell = Program(url: URL(filePath: "/bin/sh"))
    watch = try shell.start(
      ["-c", script, "sh", "\(getpid())", path, stop.program.url.path] + stop.arguments, in: URL(filePath: "/"))
  }

  private static let owner = "postgres"
  private var path: String { folder.url.path }
  private var data: String { "\(path)/data" }

  /// As root, PostgreSQL refuses to run; its own account then runs it.
  private static func run(_ program: Program, _ arguments: [String], _ folder: String) throws {
    let command = command(program, arguments)
    let outcome = try command.program.run(command.arguments, in: URL(filePath: folder))
    if outcome.status != 0 { throw Failure(text: outcome.text) }
  }

  private static func command(_ program: Program, _ arguments: [String]) -> (program: Program, arguments: [String]) {
    if geteuid() != 0 { return (program, arguments) }
    let setpriv = Program(url: URL(filePath: "/usr/bin/setpriv"))
    return (setpriv, ["--reuid", owner, "--regid", owner, "--clear-groups", program.url.path] + arguments)
  }

  public struct Failure: Error {
    public var text: String
  }

  /// Starts the server, and waits until it answers.
  public func begin() throws {
    let safety = isSafe ? "" : "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    let options = "-c listen_addresses= -k \(path) -c max_connections=300 \(safety)"
    try Self.run(control, ["-D", data, "-o", options, "-l", "\(data)/log", "-w", "start"], path)
    lock.withLock { isRunning = true }
  }

  /// Stops the server. `immediate`: as a crash does.
  public func stop(immediate: Bool = true) throws {
    try Self.run(control, ["-D", data, "-m", immediate ? "immediate" : "fast", "-w", "stop"], path)
    lock.withLock { isRunning = false }
  }

  deinit { end() }

  private func end() {
    guard lock.withLock({ isRunning }) else { return }
    try? stop()
    try? FileManager.default.removeItem(at: folder.url)
  }

  /// The address of a database; `schema` is the part of it in which tables are looked for.
  public func address(_ database: String = "postgres", schema: String? = nil) -> String {
    let options = schema.map { "&options=-csearch_path%3D\($0)&application_name=\($0)" } ?? ""
    let host = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? path
    return "postgres://modelserver@/\(database)?host=\(host)\(options)"
  }
}
