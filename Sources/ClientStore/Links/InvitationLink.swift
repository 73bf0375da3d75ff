// Links by which people join a queue. Nobody has to know their ids.

import Foundation
import ModelTypes
public import SyncProtocol
public import WireFormat

/// A link by which people join a queue. A queue with an identity has none, because the identity names its people.
///
/// Everybody who has the link can use it, so give it only to the people it is for.
public struct InvitationLink: Hashable, Sendable {
  /// The queue that is joined.
  public let queue: QueueID
  package let secret: LinkSecret

  package init(to queue: QueueID, secret: LinkSecret) { (self.queue, self.secret) = (queue, secret) }

  /// A new link, with a random secret. Nobody can use it before `ModelStore.open`.
  public init(to queue: QueueID) { self.init(to: queue, secret: LinkSecret(.random())) }

  /// A hash of the secret, by which the server and `QueueLink` name the link.
  public var id: ContentHash { secret.hash }

  /// 43 letters, digits, `-` and `_`, for a URL of your app or a QR code: base64url (RFC 4648) of the queue's id and the
  /// secret.
  public var text: String {
    Data(queue.rawValue.bytes + secret.value.bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The link with this text; nil if it is the text of no link.
  public init?(_ text: String) {
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + "="
    guard text.count == 43, let bytes = Data(base64Encoded: base64).map(Array.init), bytes.count == 32,
      let queue = UUIDValue(bytes: bytes.prefix(16)), queue.isVersion4, let secret = UUIDValue(bytes: bytes.suffix(16))
    else { return nil }
    self.init(to: QueueID(queue), secret: LinkSecret(secret))
  }
}

/// A link that is open, as the members of its queue see it. Its text is with whoever made it.
public struct QueueLink: Hashable, Sendable, Identifiable {
  /// As `InvitationLink.id` has it.
  public let id: ContentHash
  public let queue: QueueID
  /// The role of those who join by it.
  public let role: QueueRole
  /// How many people may join by it yet.
  public let uses: Int
  /// Until when, by the server's clock.
  public let until: Timestamp
  /// The member who has made it.
  public let by: UserID
}
