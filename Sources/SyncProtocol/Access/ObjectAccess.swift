// The rights to the objects of a model (docs/formats/sync-server.md, "Access").

/// A kind of user who can hold a right.
public enum AccessHolder: String, Hashable, Sendable, CaseIterable {
  /// Members with at least this role. A right of readers is a right of all members.
  case owner, writer, reader
  /// The sender of the create that made the object.
  case creator
}

/// The rights that `access:` of a model gives. They are in generated code, and in the table that a server is given.
///
/// Each right is a list of holders. It is enough for a sender to be one of them.
public struct ObjectAccess: Hashable, Sendable {
  /// The right to create an object. In this list `creator` stands for nobody.
  public var create: [AccessHolder]
  /// The right to change fields that have no rule of their own.
  public var update: [AccessHolder]
  /// The right to delete an object. Only owners may delete the root of a queue, whatever is listed here.
  public var delete: [AccessHolder]
  /// The right to change single fields, by tag, in place of `update`.
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

  /// The rights for a type without rules: writers may do everything with its objects, readers nothing.
  public static let byRole = ObjectAccess()

  /// The holders of the right to change this field.
  package func holders(ofField tag: Int) -> [AccessHolder] { fields[tag] ?? update }

  /// Whether members with this role may create or update any objects, be it only as their creators.
  package func letsWrite(_ role: QueueRole) -> Bool {
    let asCreator = AccessStanding(role: role, isCreator: true)
    let updates = fields.values.contains { asCreator.holds($0) } || asCreator.holds(update)
    return updates || AccessStanding(role: role).holds(create)
  }
}

/// The relation of a change's sender to the object that it changes.
package struct AccessStanding: Hashable, Sendable {
  package var role: QueueRole
  /// Whether the sender is the object's creator; nil if there is no object.
  package var isCreator: Bool?
  /// Whether the object is the root, which has the queue's id.
  package var isRoot: Bool

  package init(role: QueueRole, isCreator: Bool? = nil, isRoot: Bool = false) {
    self.role = role
    self.isCreator = isCreator
    self.isRoot = isRoot
  }

  /// Whether the sender is one of the holders.
  package func holds(_ right: [AccessHolder]) -> Bool {
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
