// A PostgreSQL of the tests' own: a cluster in a temporary folder, which only they can reach.

import Foundation

/// A running cluster, without a port and with a socket in its folder. It ends with the value that holds it.
///
/// `@unchecked Sendable`: its lock guards whether it runs.
public final class PostgresCluster: @unchecked Sendable {
  private let folder: TemporaryFolder
  private let programs: Programs
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
    guard let programs = try Programs() else { return nil }
    let cluster = try PostgresCluster(programs, isSafe: isSafe)
    try run(
      programs.initdb,
      ["-D", cluster.data, "-U", "modelserver", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale"], cluster.path)
    try cluster.begin()
    return cluster
  }

  private struct Programs {
    var initdb, control, baseBackup, shell: Program

    init?() throws {
      // The programs of the server need not be in PATH.
      guard let config = try Program.find("pg_config") else { return nil }
      let folders = try config.run(["--bindir"], in: URL(filePath: "/")).output.split(separator: "\n").map(String.init)
      guard let initdb = try Program.find("initdb", first: folders),
        let control = try Program.find("pg_ctl", first: folders),
        let baseBackup = try Program.find("pg_basebackup", first: folders),
        let shell = try Program.find("psql", first: folders)
      else { return nil }
      (self.initdb, self.control, self.baseBackup, self.shell) = (initdb, control, baseBackup, shell)
    }
  }

  private init(_ programs: Programs, isSafe: Bool) throws {
    // The folder for temporary files may be closed to the account of PostgreSQL.
    folder = try geteuid() == 0 ? TemporaryFolder(in: URL(filePath: "/tmp")) : TemporaryFolder()
    (self.programs, self.isSafe) = (programs, isSafe)
    if geteuid() == 0 { try FileManager.default.setAttributes([.ownerAccountName: Self.owner], ofItemAtPath: path) }
    try endWithProcess()
  }

  /// Starts a shell that stops the server once this process is gone, however it has ended.
  private func endWithProcess() throws {
    let script = """
      process=$1 folder=$2; shift 2
      while kill -0 "$process" 2>/dev/null; do sleep 1; done
      "$@"; rm -rf "$folder"
      """
    let stop = Self.command(programs.control, ["-D", data, "-m", "immediate", "stop"])
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
    do {
      try Self.run(programs.control, ["-D", data, "-o", options, "-l", "\(data)/log", "-w", "start"], path)
    } catch let failure as Failure {
      let log = try? String(contentsOfFile: "\(data)/log", encoding: .utf8).suffix(2_000)
      throw Failure(text: "\(failure.text)\(log ?? "")")
    }
    lock.withLock { isRunning = true }
  }

  /// Stops the server. `immediate`: as a crash does.
  public func stop(immediate: Bool = true) throws {
    try Self.run(programs.control, ["-D", data, "-m", immediate ? "immediate" : "fast", "-w", "stop"], path)
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
    return "postgres://modelserver@/\(database)?host=\(host)\(options)"
  }

  /// The address of whichever of two is the primary.
  public func address(or other: PostgresCluster) -> String {
    "postgres://modelserver@/postgres?host=\(host),\(other.host)&target_session_attrs=read-write"
  }

  private var host: String { path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? path }

  /// Runs SQL in the shell of PostgreSQL. Returns the rows as lines.
  @discardableResult public func query(_ sql: String) throws -> [String] {
    let outcome = try programs.shell.run(
      ["-h", path, "-U", "modelserver", "-d", "postgres", "-XAtc", sql], in: folder.url)
    if outcome.status != 0 { throw Failure(text: outcome.text) }
    return outcome.output.split(separator: "\n").map(String.init)
  }
}

// Standbys.
extension PostgresCluster {
  /// A standby of this cluster.
  public func standby() throws -> PostgresCluster {
    let standby = try PostgresCluster(programs, isSafe: isSafe)
    try standby.follow(self)
    return standby
  }

  /// Begins as a copy of another cluster, whose commits it gets from then on. Whatever was here before is lost.
  public func follow(_ primary: PostgresCluster) throws {
    // Its socket too: a process that happens to have the number of the one that was killed would pass for its owner.
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
    try Self.run(
      programs.baseBackup,
      ["-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-h", primary.path, "-U", "modelserver"], path)
    try begin()
  }

  /// Makes a standby the primary.
  public func promote() throws { try Self.run(programs.control, ["-D", data, "-w", "promote"], path) }

  /// A standby gets no more commits from now on.
  public func cutOff() throws {
    try query("ALTER SYSTEM SET primary_conninfo = ''")
    try query("SELECT pg_reload_conf()")
    while try !query("SELECT pid FROM pg_stat_wal_receiver").isEmpty {}
  }

  /// Whether it has written something that a standby does not have.
  public func isAhead(of standby: PostgresCluster) throws -> Bool {
    let place = try standby.query("SELECT pg_last_wal_replay_lsn()").first ?? ""
    return try query("SELECT pg_current_wal_lsn() > '\(place)'") == ["t"]
  }

  /// Kills it, as the end of its machine does.
  public func kill() throws {
    let text = try String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
    guard let postmaster = text.split(separator: "\n").first.flatMap({ Int32($0) }) else {
      throw Failure(text: "no process in \(text)")
    }
    Foundation.kill(postmaster, SIGKILL)
    lock.withLock { isRunning = false }
  }
}
