// The roles of a queue's members, and changes of them.

package import WireFormat

/// The rights of a member of a queue (docs/formats/sync-server.md).
public enum QueueRole: Hashable, Sendable, CaseIterable {
  /// May do what nobody else has a right to, such as take others out, change roles and end the queue.
  case owner
  /// May change objects, and take others in as writers or readers, unless the schema says otherwise.
  case writer
  /// May read, and leave.
  case reader

  /// The number in the encoded form.
  package var number: Int32 {
    switch self {
    case .owner: 1
    case .writer: 2
    case .reader: 3
    }
  }

  /// Nil for a number without a role.
  package init?(number: Int32) {
    guard let role = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = role
  }
}

/// A change of one member of a queue. The changes of one operation are judged and made one after the other.
package struct MemberChange: Hashable, Sendable {
  package var user: UserID
  package var action: Action

  /// The three kinds of change.
  package enum Action: Hashable, Sendable {
    /// Takes the user in, with this role. Has no effect on a member.
    case follow(QueueRole)
    /// Gives a member this role. Has no effect on a user who is no member.
    case role(QueueRole)
    /// Takes the user out.
    case unfollow
  }

  package init(_ user: UserID, _ action: Action) {
    self.user = user
    self.action = action
  }
}

extension MemberChange {
  /// Takes a user in. Has no effect on a member.
  package static func follow(_ user: UserID, as role: QueueRole = .writer) -> Self { Self(user, .follow(role)) }
  /// Gives a member this role. Has no effect on a user who is no member.
  package static func role(_ user: UserID, _ role: QueueRole) -> Self { Self(user, .role(role)) }
  /// Takes a user out.
  package static func unfollow(_ user: UserID) -> Self { Self(user, .unfollow) }
}

/// The encoded form of a `MemberChange`.
struct MemberChangeMessage: WireStruct {
  var user = UUIDValue.zero
  var follow: Int32?
  var role: Int32?
  var unfollow: Bool?
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }

  static let fieldTable = FieldTable(
    "memberChange", unknownFields: \Self.unknownFields, Field(1, "user", \Self.user),
    Field(2, "follow", \Self.follow), Field(3, "role", \Self.role), Field(4, "unfollow", \Self.unfollow))
}

extension MemberChangeMessage {
  init(_ change: MemberChange) {
    self.init(user: change.user.rawValue)
    switch change.action {
    case .follow(let role): follow = role.number
    case .role(let role): self.role = role.number
    case .unfollow: unfollow = true
    }
  }

  func value() throws(WireError) -> MemberChange {
    guard unknownFields.isEmpty, let action else { throw WireError(.invalidPatch, at: 0) }
    return MemberChange(UserID(user), action)
  }

  private var action: MemberChange.Action? {
    switch (follow, role, unfollow) {
    case (let number?, nil, nil): QueueRole(number: number).map { .follow($0) }
    case (nil, let number?, nil): QueueRole(number: number).map { .role($0) }
    case (nil, nil, true?): .unfollow
    default: nil
    }
  }
}
