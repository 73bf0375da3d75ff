// Options of `serve` from the environment, for containers and services: MODELSERVER_SECRET_FILE is --secret-file.

import ArgumentParser

/// Adds what stands in the environment to the arguments of `serve`. The command line wins.
enum EnvironmentOptions {
  private static let prefix = "MODELSERVER_"
  /// Which other commands read too; an address may have a password, which must not become an argument.
  private static let others: Set = ["MODELSERVER_POSTGRES"]

  /// `true` stands for an option without a value. Commas separate the values of an option that is given several times.
  /// Throws a `Mistake` for a variable that names no option.
  static func added(to arguments: [String], _ environment: [String: String]) throws -> [String] {
    guard arguments.first == "serve", !arguments.contains(where: { ["--help", "-h"].contains($0) }) else {
      return arguments
    }
    let known = Set(ServeCommand.helpMessage().matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
    var all = arguments
    for (variable, value) in environment.sorted(by: { $0.key < $1.key }) {
      guard variable.hasPrefix(prefix), !others.contains(variable) else { continue }
      let name = "--" + variable.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
      guard known.contains(name) else {
        throw Mistake.usage("\(variable) in the environment: `serve` has no option \(name).")
      }
      let isGiven = arguments.contains { $0 == name || $0.hasPrefix(name + "=") }
      if isGiven || value == "false" { continue }
      if value == "true" {
        all.append(name)
      } else {
        all += value.split(separator: ",", omittingEmptySubsequences: false).map { "\(name)=\($0)" }
      }
    }
    return all
  }
}
