// The options that say what is served, and where.

import ArgumentParser
import SyncProtocol

struct ServingOptions: ParsableArguments {
  @Option(help: "The database file. One server at a time has it; any number may have one PostgreSQL database.")
  var database: String?

  @OptionGroup
  var place: PostgresOption

  @Option(
    help: ArgumentHelp(
      """
      With PostgreSQL: where the files that users share lie. A folder, the same one for all servers of the database; or \
      s3://bucket/prefix, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL_S3 in the \
      environment.
      """,
      valueName: "folder|s3://…"))
  var files: String?

  @ArgumentParser.Flag(
    help:
      "Make the database, or its tables, if it does not exist. Devices that have synced with another one wait for that one."
  )
  var create = false

  @Option(help: "The address to listen on; 0.0.0.0 for every one of this machine.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes a free one.")
  var port = 8080

  @Option(help: "Serve GET /metrics and GET /health on this port too, to this machine only; 0 takes a free one.")
  var metricsPort: Int?

  @Option(help: ArgumentHelp("How lines of the log are written: text or json.", valueName: "form"))
  var log = LogForm.text

  @Option(
    help: ArgumentHelp(
      "The table of access of an app, as `modelgen generate` writes it; once for each app. SIGHUP reads it again.",
      valueName: "file"))
  var access: [String] = []

  @Option(
    help: ArgumentHelp(
      "The oldest version of an app's schema that may change something; older apps may read. Once for each app.",
      valueName: "schema=version"), transform: OldestWriterArgument.init(text:))
  var oldestWriter: [OldestWriterArgument] = []

  /// The database that is named by the options, or by the environment.
  func choice(_ environment: [String: String]) throws -> DatabaseChoice {
    if let database { return .sqlite(path: database) }
    let address = try place.address(environment)
    guard let files else {
      throw ValidationError(
        "With PostgreSQL, name with --files where the files that users share lie: a folder, or s3://BUCKET.")
    }
    return .postgres(address: address, files: try FilesPlace(files, environment))
  }

  func validate() throws {
    if database != nil, place.postgres != nil {
      throw ValidationError("--database and --postgres name two databases: give one.")
    }
    if database != nil, files != nil {
      throw ValidationError("--files is for PostgreSQL; with --database, files lie beside it.")
    }
    let schemas = oldestWriter.map(\.schema)
    if let twice = schemas.first(where: { schema in schemas.count { $0 == schema } > 1 }) {
      throw ValidationError("--oldest-writer names \(twice) twice: give one version for each schema.")
    }
    for (name, port) in [("--port", port), ("--metrics-port", metricsPort ?? 0)] where !(0...65_535).contains(port) {
      throw ValidationError("\(name) must be between 0 and 65535; it is \(port).")
    }
    if port != 0 && port == metricsPort { throw ValidationError("--port and --metrics-port must not be the same.") }
  }
}

/// An argument such as `Moments=1.4`.
struct OldestWriterArgument: Sendable {
  let schema: String
  let version: SchemaVersion

  init(text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, ProtocolLimits.isTypeName(parts[0]), let version = SchemaVersion(parts[1]),
      !version.hasChanged
    else { throw ValidationError("it is the name of a schema and a release, such as Moments=1.4.") }
    (schema, self.version) = (parts[0], version)
  }
}
