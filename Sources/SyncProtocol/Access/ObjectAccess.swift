// The rights to the objects of a model (docs/formats/sync-server.md, "Access").

import WireFormat

/// A kind of user who can hold a right.
public enum AccessHolder: Hashable, Sendable {
  /// Members with at least this role. A right of readers is a right of all members.
  case owner, writer, reader
  /// The sender of the create that made the object.
  case creator
  /// The user whom the field with this tag names, with at least this role.
  case user(in: Int, role: QueueRole = .writer, as: UserIdentity? = nil)
}

/// An object that stands for a user: its identity is the user alone, so its id proves which.
public struct UserIdentity: Hashable, Sendable {
  /// The type, as blobs have it.
  public var type: String
  /// The tag of the field with the user.
  public var tag: Int

  public init(_ type: String, tag: Int) { (self.type, self.tag) = (type, tag) }

  /// The id that such an object of a user has in a queue, whether it is there or not.
  func id(of user: UserID, in queue: QueueID) -> UUIDValue {
    var records = RecordWriter(capacity: 64)
    records.string(1, type)
    records.uuid(tag, user.rawValue)
    return .derived(in: queue, identity: records.bytes)
  }
}

/// The rights that `access:` of a model gives. They are in generated code, and in the table that a server is given.
///
/// Each right is a list of holders. It is enough for a sender to be one of them; an empty list is nobody.
public struct ObjectAccess: Hashable, Sendable {
  /// The right to create an object. In this list `creator` stands for nobody.
  public var create: [AccessHolder]
  /// The right to change fields that have no rule of their own.
  public var update: [AccessHolder]
  /// The right to delete an object. To delete the root of a queue one has to be an owner too.
  public var delete: [AccessHolder]
  /// The right to change single fields, by tag, in place of `update`.
  public var fields: [Int: [AccessHolder]]
  /// Tags of fields that never change once the object is there.
  public var fixed: [Int]
  /// What the id is derived from: paths of tags. Empty if ids are random; nil if it is not known, and ids prove nothing.
  public var identity: [[Int]]?
  /// Tags of the identity fields whose values are users. Of the root of a queue: whom it lets in.
  public var users: [Int]
  /// The rights to change the members of the queue whose root such an object is.
  public var members: MemberAccess

  public init(
    create: [AccessHolder] = [.writer], update: [AccessHolder] = [.writer], delete: [AccessHolder] = [.writer],
    fields: [Int: [AccessHolder]] = [:], fixed: [Int] = [], identity: [[Int]]? = nil,
    users: [Int] = [], members: MemberAccess = MemberAccess()
  ) {
    self.create = create
    self.update = update
    self.delete = delete
    self.fields = fields
    self.fixed = fixed
    self.identity = identity
    self.users = users
    self.members = members
  }

  /// The rights for a type without rules: writers may do everything with its objects, readers nothing.
  public static let byRole = ObjectAccess()

  /// All holders whom a field names.
  var userHolders: Set<AccessHolder> {
    var found: Set<AccessHolder> = []
    for right in [create, update, delete] + fields.values {
      for holder in right where holder.isUser { found.insert(holder) }
    }
    return found
  }

  /// The holders of the right to change this field of an object that is there.
  package func holders(ofField tag: Int) -> [AccessHolder] { fixed.contains(tag) ? [] : fields[tag] ?? update }

  /// Whether members with this role may create objects, be it only in their own name.
  package func letsCreate(_ role: QueueRole) -> Bool { create.contains { $0 != .creator && $0.mayBe(role) } }

  /// Whether members with this role may create or update any objects, be it only as their creators.
  package func letsWrite(_ role: QueueRole) -> Bool {
    let updates = ([update] + fields.values).joined()
    return letsCreate(role) || updates.contains { $0.mayBe(role) }
  }
}

extension AccessHolder {
  /// Whether a field of the object names this holder.
  package var isUser: Bool { if case .user = self { true } else { false } }

  /// Whether a member with this role can be this holder.
  fileprivate func mayBe(_ role: QueueRole) -> Bool {
    if case .user(_, let least, _) = self { return role.covers(least) }
    return isHeld(as: role, isCreator: true) == true
  }
}
