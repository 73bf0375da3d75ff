// The commands `new-secret`, which makes a secret, and `token`, which makes a token to try a server out.

import ArgumentParser
import Commands
import Determinism

struct NewSecretCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-secret",
    abstract: "Makes a file with a new random secret.",
    discussion: """
      Only its owner may read it. An existing file is left alone. Anyone who has the secret can \
      act as any user: keep it where only the server and the service that makes tokens can read it.
      """)

  @Argument(help: "The file to make.")
  var file: String

  func run() throws {
    try Secret.random(RuntimeEnvironment.current).write(to: file)
    Terminal.print("wrote a new secret to \(file)")
  }
}

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Prints a token for a user, to try a server out.",
    discussion: """
      In production the service that your users sign in to makes tokens: JWTs, HS256, signed with \
      the same secret, with `sub`, `exp` and, where the server asks for them, `iss` and `aud`.

      EXAMPLE:
        TOKEN=$(modelserver token --secret-file secret.txt --user anna --expires-in 12h)
        curl -H "Authorization: Bearer $TOKEN" …
      """)

  @Option(help: "The file with the secret; of two the first signs.")
  var secretFile: String

  @Option(help: "The user: a UUID, or any name (`sub`).")
  var user: String

  @Option(help: "The issuer of the token (`iss`).")
  var issuer: String?

  @Option(help: "For whom the token is (`aud`).")
  var audience: String?

  @Option(help: "How long the token is good: 90s, 15m, 12h, 30d.")
  var expiresIn = Span(days: 30)

  func validate() throws {
    if user.isEmpty { throw ValidationError("--user must not be empty.") }
  }

  func run() async throws {
    let secrets = try Secret.read(secretFile)
    let now = RuntimeEnvironment.current.nowMilliseconds()
    let claims = TokenClaims(
      user: user, expires: Double((now + expiresIn.milliseconds) / 1_000), issuer: issuer, audience: audience)
    Terminal.print(try await TokenChecker(secrets).sign(claims))
  }
}
