// The id of a user, from what the user's token says.

import SyncProtocol
public import WireFormat

extension ObjectID where Object == UserAccount {
  /// The id that the server works out from a token: `subject` is its `sub`, `issuer` its `iss`, nil where it has none.
  public init(subject: String, issuer: String?) {
    self = SyncID.user(subject: subject, issuer: issuer)
  }
}
