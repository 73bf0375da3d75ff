// The command `serve`, which runs the server.

import ArgumentParser

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves clients until it is told to stop.",
    discussion: """
      Files that users share lie in a folder beside the database. \
      SIGTERM or Ctrl-C lets requests under way end; a second one ends at once.

      Without --access, members follow their roles: writers change everything, readers nothing.

      It speaks HTTP without TLS, and to this machine only unless --host says otherwise: put a \
      proxy in front of it that has your certificate.

      EXAMPLES:
        modelserver serve --create --database team.sqlite --secret-file secret.txt
        modelserver serve --database team.sqlite --secret-file secret.txt \\
          --port 9000 --issuer https://login.example.com --metrics-port 9001
      """)

  @Option(help: "The database file.")
  var database: String

  @ArgumentParser.Flag(
    help: "Make the database where there is none. Devices that know another database wait for that one.")
  var create = false

  @Option(
    help:
      "The file with the secret that tokens are signed with; `modelserver new-secret` makes one. SIGHUP reads it again."
  )
  var secretFile: String

  @Option(help: "The address to listen on; 0.0.0.0 for every one of this machine.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(help: "Take only tokens whose `iss` is this.")
  var issuer: String?

  @Option(help: "Serve GET /metrics and GET /health on this port too, to this machine only; 0 takes a free one.")
  var metricsPort: Int?

  @Option(
    help: ArgumentHelp(
      "The table of access of an app, as `modelgen generate` writes it; once for each app. SIGHUP reads it again.",
      valueName: "file"))
  var access: [String] = []

  @OptionGroup(title: "LIMITS")
  var limits: LimitOptions

  func validate() throws {
    for (name, port) in [("--port", port), ("--metrics-port", metricsPort ?? 0)] where !(0...65_535).contains(port) {
      throw ValidationError("\(name) must be between 0 and 65535; it is \(port).")
    }
    if port != 0 && port == metricsPort { throw ValidationError("--port and --metrics-port must not be the same.") }
  }

  func run() async throws {
    try await RunningServer.run(
      ServerConfiguration(
        database: database, creates: create, secretFile: secretFile, host: host, port: port, issuer: issuer,
        metricsPort: metricsPort, access: AccessFiles(paths: access), limits: limits))
  }
}
