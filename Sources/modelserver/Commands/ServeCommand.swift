// The command `serve`, which runs the server.

import ArgumentParser
import Foundation

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves clients until it is told to stop.",
    discussion: """
      Files that users share lie in a folder beside the database. \
      SIGTERM or Ctrl-C lets requests under way end; a second one ends at once.

      Without --access, members follow their roles: writers change everything, readers nothing.

      With --oldest-writer, apps whose schema is older keep what their users do until they are updated, and read on. \
      `modelserver versions` shows who still has which version.

      Each option may stand in the environment instead: MODELSERVER_SECRET_FILE is --secret-file, \
      MODELSERVER_CREATE=true is --create, and commas separate several values.

      It speaks HTTP without TLS, and to this machine only unless --host says otherwise: put a \
      proxy in front of it that has your certificate.

      EXAMPLES:
        modelserver serve --create --database team.sqlite --secret-file secret.txt
        modelserver serve --database team.sqlite --secret-file secret.txt \\
          --port 9000 --metrics-port 9001
        modelserver serve --database team.sqlite \\
          --jwks https://login.example.com/keys --issuer https://login.example.com \\
          --audience my-app
        modelserver serve --database team.sqlite --secret-file secret.txt \\
          --access Generated/access.json --oldest-writer Moments=1.4
        MODELSERVER_POSTGRES=postgres://team:password@db.example.com/team modelserver serve \\
          --create --files /srv/team-files --secret-file secret.txt
      """)

  // Titled, because the help shows titled groups first: what is needed comes before the limits.
  @OptionGroup(title: "SERVER")
  var server: ServingOptions

  @OptionGroup(title: "TOKENS")
  var tokens: TokenOptions

  @OptionGroup(title: "LIMITS")
  var limits: LimitOptions

  func run() async throws {
    try await RunningServer.run(
      ServerConfiguration(
        database: try server.choice(ProcessInfo.processInfo.environment), creates: server.create,
        tokens: tokens, host: server.host, port: server.port, metricsPort: server.metricsPort,
        log: server.log,
        access: AccessFiles(paths: server.access, oldestWriters: server.oldestWriter), limits: limits))
  }
}
