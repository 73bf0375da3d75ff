// The option `--postgres`, or the variable that stands for it.

import ArgumentParser

struct PostgresOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The address of a PostgreSQL database instead, such as postgres://user@host/database. Put one with a password in \
      the environment, as \(Self.variable), where no other process sees it.
      """,
      valueName: "address"))
  var postgres: String?

  static let variable = "MODELSERVER_POSTGRES"

  /// The address in the option or the environment. `instead` is what may be named in its place.
  func address(
    _ environment: [String: String], instead: String = "a file with --database, or "
  ) throws -> String {
    guard let address = self.postgres ?? environment[Self.variable] else {
      throw ValidationError("Name \(instead)a PostgreSQL database with --postgres or \(Self.variable).")
    }
    return address
  }
}
