// The rights to the objects of a model (docs/formats/sync-protocol.md, "Access").

/// Somebody who holds a right.
public enum AccessHolder: String, Hashable, Sendable, CaseIterable {
  /// Members with at least this role: a reader's right is everybody's.
  case owner, writer, reader
  /// The sender of the create that put the object there.
  case creator
}

/// The rights that `access:` of a model gives; generated, and in the table that a server is given.
///
/// Each is a list of holders; it is enough to be one of them.
public struct ObjectAccess: Hashable, Sendable {
  /// To put an object there; in this list `creator` stands for nobody.
  public var create: [AccessHolder]
  /// To change fields that have no rule of their own.
  public var update: [AccessHolder]
  /// To delete an object; to delete the root of a queue is for owners only, whatever stands here.
  public var delete: [AccessHolder]
  /// By tag, in place of `update`.
  public var fields: [Int: [AccessHolder]]

  public init(
    create: [AccessHolder] = [.writer], update: [AccessHolder] = [.writer], delete: [AccessHolder] = [.writer],
    fields: [Int: [AccessHolder]] = [:]
  ) {
    self.create = create
    self.update = update
    self.delete = delete
    self.fields = fields
  }

  /// Of a type that says nothing: writers may do everything with its objects, readers nothing.
  public static let byRole = ObjectAccess()

  /// The right to change this field.
  public func holders(ofField tag: Int) -> [AccessHolder] { fields[tag] ?? update }

  /// Whether members with this role may create or update objects, some of them perhaps as the creator only.
  public func letsWrite(_ role: QueueRole) -> Bool {
    let asCreator = AccessStanding(role: role, isCreator: true)
    let updates = fields.values.contains { asCreator.holds($0) } || asCreator.holds(update)
    return updates || AccessStanding(role: role).holds(create)
  }
}

/// Where the sender of a change stands before the object that it is about.
public struct AccessStanding: Hashable, Sendable {
  public var role: QueueRole
  /// Nil where no object is there; else whether the sender is its creator.
  public var isCreator: Bool?
  /// The object is the queue: it has the queue's id.
  public var isRoot: Bool

  public init(role: QueueRole, isCreator: Bool? = nil, isRoot: Bool = false) {
    self.role = role
    self.isCreator = isCreator
    self.isRoot = isRoot
  }

  /// Whether the sender is one of the holders.
  public func holds(_ right: [AccessHolder]) -> Bool {
    right.contains { holder in
      switch holder {
      case .owner: role == .owner
      case .writer: role == .owner || role == .writer
      case .reader: true
      case .creator: isCreator == true
      }
    }
  }
}
