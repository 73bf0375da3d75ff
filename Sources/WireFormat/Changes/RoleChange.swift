// What a member of a queue may do, and the change of it.

/// What a member may do with a queue (docs/formats/sync-protocol.md).
public enum QueueRole: Hashable, Sendable, CaseIterable {
  /// Everything; takes others out, and changes what they may do.
  case owner
  /// Changes objects, and takes others in.
  case writer
  /// Reads, and leaves.
  case reader

  /// As in the bytes.
  public var number: Int32 {
    switch self {
    case .owner: 1
    case .writer: 2
    case .reader: 3
    }
  }

  /// Nil for a number without a role.
  public init?(number: Int32) {
    guard let role = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = role
  }
}

/// From now on a member has this role. Who is no member, and is not taken in by the same operation, gets none.
public struct RoleChange: Hashable, Sendable {
  public var user: UUIDValue
  public var role: QueueRole

  public init(user: UUIDValue, role: QueueRole) {
    self.user = user
    self.role = role
  }
}

/// `Role` as it lies in the bytes of an operation.
struct RoleMessage: WireStruct {
  var user = UUIDValue.zero
  var role: Int32 = 0
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }

  static let fieldTable = FieldTable(
    "role", unknownFields: \Self.unknownFields, Field(1, "user", \Self.user), Field(2, "role", \Self.role))
}

extension RoleMessage {
  init(_ change: RoleChange) {
    self.init(user: change.user, role: change.role.number)
  }

  func value() throws(WireError) -> RoleChange {
    guard unknownFields.isEmpty, let role = QueueRole(number: role) else { throw WireError(.invalidPatch, at: 0) }
    return RoleChange(user: user, role: role)
  }
}
