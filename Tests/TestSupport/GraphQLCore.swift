// Lets tests ask graphql-core, an implementation of GraphQL that is not ours.
import Foundation

public enum GraphQLCore {
  /// Runs a Python script of this repository that uses graphql-core, and returns its output.
  ///
  /// If graphql-core is not installed, prints that and returns nil, but throws if `CI` is set: a check must not vanish
  /// there.
  public static func run(_ script: String, _ arguments: [String]) throws -> String? {
    let folder = Repository.url(".build-python/bin").path
    guard let python = try Program.find("python3", first: [folder]) else { return nil }
    let outcome = try python.run([Repository.url(script).path] + arguments, in: Repository.root)
    if outcome.errors.contains("No module named 'graphql'") {
      print("Python has no graphql-core (Scripts/bootstrap installs it): \(script) is not run")
      if ProcessInfo.processInfo.environment["CI"] == "true" { throw Program.Missing(name: "graphql-core") }
      return nil
    }
    guard outcome.status == 0 else { throw Failure(text: outcome.text) }
    return outcome.output
  }

  public struct Failure: Error {
    public var text: String
  }
}
