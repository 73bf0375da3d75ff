// Tests of options of `serve` in the environment.

import Foundation
import TestSupport
import Testing

@testable import modelserver

@Suite struct EnvironmentTests {
  private func added(_ arguments: [String], _ environment: [String: String]) throws -> [String] {
    try EnvironmentOptions.added(to: arguments, environment)
  }

  @Test func variablesAreOptions() throws {
    let environment = [
      "MODELSERVER_DATABASE": "a b", "MODELSERVER_CREATE": "true", "MODELSERVER_ACCESS": "x,y", "HOME": "/",
      "MODELSERVER_POSTGRES": "postgres://secret",
    ]
    #expect(
      try added(["serve", "--port", "1"], environment)
        == ["serve", "--port", "1", "--access=x", "--access=y", "--create", "--database=a b"])
    #expect(try added(["serve"], ["MODELSERVER_CREATE": "false"]) == ["serve"])
  }

  @Test func theCommandLineWins() throws {
    #expect(try added(["serve", "--port", "1"], ["MODELSERVER_PORT": "2"]) == ["serve", "--port", "1"])
    #expect(try added(["serve", "--port=1"], ["MODELSERVER_PORT": "2"]) == ["serve", "--port=1"])
  }

  @Test func otherCommandsAndHelpReadNone() throws {
    #expect(try added(["usage"], ["MODELSERVER_PORT": "2"]) == ["usage"])
    #expect(try added(["serve", "--help"], ["MODELSERVER_PORT": "2"]) == ["serve", "--help"])
    #expect(try added([], ["MODELSERVER_PORT": "2"]) == [])
  }

  @Test func aNameThatIsNoOptionIsSaid() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.built("modelserver").run(
      ["serve"], in: folder.url, environment: ["MODELSERVER_SECRETFILE": "x"])
    #expect(outcome.status == 2)
    #expect(outcome.errors == "error: MODELSERVER_SECRETFILE in the environment: `serve` has no option --secretfile.\n")
  }

  @Test func aServerRunsByTheEnvironment() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret", Token.secret)
    try folder.setPermissions(0o600, of: "secret")
    let server = try Program.built("modelserver").talk(
      ["serve"], in: folder.url,
      environment: [
        "MODELSERVER_DATABASE": "team.sqlite", "MODELSERVER_SECRET_FILE": "secret", "MODELSERVER_CREATE": "true",
        "MODELSERVER_PORT": "0",
      ])
    #expect(server.line()?.hasPrefix("modelserver listens on http://127.0.0.1:") == true)
    server.signal(SIGTERM)
    #expect(server.wait() == 0)
    #expect(try server.errors() == "")
  }
}
