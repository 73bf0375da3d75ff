// The options that say which tokens are good.

import ArgumentParser

struct TokenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file with the secret that tokens are signed with (HS256); `modelserver new-secret` makes one. SIGHUP reads it \
      again.
      """, valueName: "file"))
  var secretFile: String?

  @Option(
    help: ArgumentHelp(
      """
      The public keys of your sign-in service (JSON Web Key Set): a URL, which is fetched again as they change, or a \
      file. For tokens with RS256, ES256 or EdDSA. May be given several times.
      """, valueName: "url"))
  var jwks: [String] = []

  @Option(help: "Take only tokens whose `iss` is this. May be given several times.")
  var issuer: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Take only tokens whose `aud` names this: your app, as your sign-in service calls it. May be given several times.
      """, valueName: "name"))
  var audience: [String] = []

  @Option(help: ArgumentHelp("The claim that names the user.", valueName: "claim"))
  var userClaim = "sub"

  @Option(help: "How far the clocks of this server and of your sign-in service may differ.")
  var clockLeeway = Span(milliseconds: 30_000)

  func validate() throws {
    guard secretFile != nil || !jwks.isEmpty else {
      throw ValidationError(
        "Name what tokens are signed with: a secret with --secret-file, or the keys of a sign-in service with --jwks.")
    }
    if !jwks.isEmpty, issuer.isEmpty || audience.isEmpty {
      throw ValidationError(
        """
        --jwks needs --issuer and --audience: without them, the tokens that the same service makes for other apps would \
        be good here too.
        """)
    }
    for (name, values) in [
      ("--jwks", jwks), ("--issuer", issuer), ("--audience", audience), ("--user-claim", [userClaim]),
    ]
    where values.contains("") { throw ValidationError("\(name) must not be empty.") }
    if clockLeeway.milliseconds > 600_000 { throw ValidationError("--clock-leeway is at most 10m.") }
  }

  var rules: TokenRules {
    TokenRules(
      issuers: issuer, audiences: audience, userClaim: userClaim,
      leewaySeconds: Double(clockLeeway.milliseconds) / 1_000)
  }
}
