// The options that name a user as tokens do.

import ArgumentParser
import SyncProtocol
import WireFormat

struct UserOption: ParsableArguments {
  @Option(help: ArgumentHelp("The user, as tokens name it (`sub`): a UUID, or any other text.", valueName: "name"))
  var user: String

  @Option(
    help: ArgumentHelp(
      "The issuer of the user's tokens (`iss`), which is part of who the user is unless the name is a UUID.",
      valueName: "name"))
  var issuer: String?

  func validate() throws { if user.isEmpty { throw ValidationError("--user must not be empty.") } }

  /// Said where nobody of this name is in any queue, which is mostly because of the issuer.
  var unknown: Mistake {
    .usage(
      """
      --user: \(user) is in no queue here. If tokens have an issuer (`iss`), name it with --issuer, exactly as it stands \
      there.
      """)
  }

  var id: UserID { SyncID.user(subject: user, issuer: issuer) }
}
