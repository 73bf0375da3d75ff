// Lets tests ask Python packages: judges of our formats that are not ours. `Scripts/bootstrap` installs them.
import Foundation

public struct PythonPackage: Sendable {
  /// As PyPI calls it.
  public var name: String
  /// As a script imports it.
  public var module: String

  public static let graphQLCore = PythonPackage(name: "graphql-core", module: "graphql")
  public static let jsonSchema = PythonPackage(name: "jsonschema", module: "jsonschema")

  public static let moto = PythonPackage(name: "moto", module: "moto")

  /// Starts a Python script of this repository that uses the package, and goes on. If the package is not installed, the
  /// same as for `run`.
  public func talk(_ script: String) throws -> TalkingProgram? {
    let folder = Repository.url(".build-python/bin").path
    guard let python = try Program.find("python3", first: [folder]) else { return nil }
    let look = try python.run(["-c", "import \(module)"], in: Repository.root)
    guard look.status == 0 else { return try nothing(for: script) }
    return try python.talk([Repository.url(script).path], in: Repository.root)
  }

  /// Runs a Python script of this repository that uses the package, and returns its output.
  ///
  /// If the package is not installed, prints that and returns nil, but throws if `CI` is set: a check must not vanish
  /// there.
  public func run(_ script: String, _ arguments: [String]) throws -> String? {
    let folder = Repository.url(".build-python/bin").path
    guard let python = try Program.find("python3", first: [folder]) else { return nil }
    let outcome = try python.run([Repository.url(script).path] + arguments, in: Repository.root)
    if outcome.errors.contains("No module named '\(module)'") { return try nothing(for: script) }
    guard outcome.status == 0 else { throw Failure(text: outcome.text) }
    return outcome.output
  }

  private func nothing<Result>(for script: String) throws -> Result? {
    print("Python has no \(name) (Scripts/bootstrap installs it): \(script) is not run")
    if ProcessInfo.processInfo.environment["CI"] == "true" { throw Program.Missing(name: name) }
    return nil
  }

  public struct Failure: Error {
    public var text: String
  }
}
