// Tests of a secret that is changed while the server runs: for a time two secrets are good.

import Foundation
import SyncProtocol
import TestSupport
import Testing

@Suite struct SecretChangeTests {
  private let next = "fedcba9876543210fedcba9876543210"

  private func status(_ server: LiveServer, _ token: String) async throws -> Int {
    try await server.call(.changed, ChangedRequest(sums: nil, waitSeconds: 0), token: token).status
  }

  private func readAgain(_ server: LiveServer, _ file: String) throws {
    try server.folder.write("secret", file)
    server.program.signal(SIGHUP)
  }

  @Test func bothSecretsAreGoodDuringAChange() async throws {
    let server = try LiveServer()
    let (old, new) = (Token.make("anna"), Token.make("anna", secret: next))
    #expect(try await status(server, old) == 200)
    #expect(try await status(server, new) == 401)
    try readAgain(server, "\(next)\r\n\(Token.secret)\n")
    #expect(server.program.line() == "modelserver has read the secret file again; its secrets: 2.")
    for token in [old, new] { #expect(try await status(server, token) == 200) }
    let signed = try Program.built("modelserver").run(
      ["token", "--secret-file", "secret", "--user", "anna"], in: server.folder.url)
    try readAgain(server, next)
    #expect(server.program.line() == "modelserver has read the secret file again; its secrets: 1.")
    #expect(try await status(server, old) == 401)
    for token in [new, signed.text.trimmingCharacters(in: .newlines)] {
      #expect(try await status(server, token) == 200, "the first of two signs")
    }
  }

  @Test(arguments: ["short", "\(Token.secret)\nshort", "\(Token.secret)\n\n\(Token.secret)\n"])
  func invalidSecretFileKeepsTheOldSecrets(file: String) async throws {
    let server = try LiveServer()
    try readAgain(server, file)
    while try !server.program.errors().contains("SIGHUP") {
      #expect(try await server.send("GET", "/health").status == 200)
    }
    #expect(try server.program.errors().contains("The previous secrets stay in use."))
    #expect(try await status(server, Token.make("anna")) == 200)
  }
}
