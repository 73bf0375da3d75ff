// Judges the user's rights on the device: to disable a button, and to turn down what the server would reject anyway.

public import ModelTypes
public import SyncProtocol
public import WireFormat

/// An action on an existing object.
public enum ObjectAction<Object: Model> {
  /// Changes fields without a rule of their own.
  case update
  /// Changes this field, such as `\Photo.place`; a part of a field, such as `\Photo.place.name`, has no rule of its
  /// own.
  case change(PartialKeyPath<Object>)
  /// Deletes the object. Only owners may delete the root of a queue, which ends the queue.
  case delete
}

extension ModelStore {
  /// Whether the user may do this with the object, as far as this device knows; false if there is no such object, or it
  /// cannot be read.
  ///
  /// Looks at the rights in the app's schema, the user's role in the queue, and whether the user created the object or is
  /// named by it. True if the role is not known. The server decides: it may have other rights, and the role may have changed.
  public func can<Object: Model>(_ action: ObjectAction<Object>, _ id: ObjectID<Object>) -> Bool {
    guard let object = try? viewed(id.rawValue, type: Object.modelName) else { return false }
    guard let queue = object.queue, let role = role(in: queue) else { return true }
    let standing = standing(role, to: id.rawValue, object, in: queue, under: Object.objectAccess)
    switch action {
    case .update: return standing.holds(Object.objectAccess.update)
    case .change(let property):
      // A property that is not a field, such as a deprecated one, has no rule of its own.
      let tag = Object.fieldTable.tag(of: property)
      return standing.holds(tag.map(Object.objectAccess.holders) ?? Object.objectAccess.update)
    case .delete: return Object.objectAccess.admitted(ObjectChange(id.rawValue, .delete), of: standing) != nil
    }
  }

  /// Whether the user may create such objects in a queue, as far as this device knows; true if the role is not known.
  ///
  /// Where the right depends on what the object holds, such as `create: user(author)`, this is about an object in the
  /// user's own name. `can(create: object)` looks at the object.
  public func can<Object: Model>(create _: Object.Type, in queue: QueueID) -> Bool {
    guard let role = role(in: queue) else { return true }
    return Object.objectAccess.letsCreate(role)
  }

  /// Whether the user may create this object, as far as this device knows; true if the role is not known.
  public func can<Object: Model>(create object: Object) -> Bool {
    (try? tryOut { try $0.create(object) }) != nil
  }

  /// Whether the user may perform this operation now, as far as this device knows; false if it would be refused for
  /// another reason too, such as an object that is not there.
  public func can(_ operation: some ModelOperation) -> Bool {
    (try? tryOut { try operation.evaluate(in: &$0) }) != nil
  }

  /// The user's role in a queue, as the server said it last; nil if the server has said none.
  public func role(in queue: QueueID) -> QueueRole? {
    memory.withLock { $0.sync.roles[queue] }
  }

  private func standing(
    _ role: QueueRole, to id: UUIDValue, _ object: ObjectVersion?, in queue: QueueID, under access: ObjectAccess
  ) -> AccessStanding {
    AccessStanding(
      of: user, as: role, to: id, in: queue, of: schema.name, under: access, content: object?.content,
      creator: object?.system.fields(of: user).createdBy)
  }
}

// Rights when an operation is performed.
extension ModelStore {
  /// Throws `forbidden` if the server would reject the changes, as far as this device knows.
  func judge(_ changes: OperationChanges, in queue: QueueID?, _ view: StoreView) throws {
    guard let queue, let role = try role(in: queue, performing: changes) else { return }
    for change in changes.objects {
      let object = try view.anyObject(change.object)
      guard let type = change.createdType ?? object?.type else { continue }
      let (model, access) = (models[type], models[type]?.objectAccess ?? .byRole)
      let standing = standing(role, to: change.object, object, in: queue, under: access)
      guard access.admitted(change, of: standing) != nil else {
        let tag = access.refusedField(of: change, by: standing)
        let field = model?.fieldTable.fields.first { $0.tag == tag }?.name
        throw StoreError.forbidden(change, type, field: field, isThere: object != nil)
      }
    }
    try judge(changes.members, changes.links, of: role, in: queue, view)
  }

  /// The role by which changes are judged: an owner's where this or a pending operation makes a queue with an identity,
  /// since that lets the user in. Throws `forbidden` if the identity does not name the user, who is no member either.
  private func role(in queue: QueueID, performing changes: OperationChanges) throws -> QueueRole? {
    let known = role(in: queue)
    guard queue.isDerived, known != .owner else { return known }
    guard let creation = changes.creation(of: queue), let type = creation.createdType else {
      return isComing(to: queue) ? .owner : known
    }
    let access = models[type]?.objectAccess ?? .byRole
    if access.proves(user, by: creation, rootOf: queue, of: schema.name) { return .owner }
    guard let known else { throw StoreError.notNamed(type) }
    return known
  }

  /// Judges the changes one after the other, each with the roles that the earlier ones have left.
  private func judge(
    _ changes: [MemberChange], _ links: [LinkChange], of role: QueueRole, in queue: QueueID, _ view: StoreView
  ) throws {
    if changes.isEmpty && links.isEmpty { return }
    let root = try view.anyObject(queue.root)
    let access = root.flatMap { models[$0.type]?.objectAccess.members } ?? MemberAccess()
    // A user who makes a queue with an identity, or joins it by making it, is a founder.
    let isFounder = try member(user, of: queue, view).isFounder || isComing(to: queue)
    var roles: [UserID: QueueRole?] = [user: role]
    for change in changes {
      var target = try member(change.user, of: queue, view)
      if let role = roles[change.user] { target.role = role }
      guard let own = roles[user] ?? nil, access.allows(change, by: user, own, isFounder: isFounder, to: target) else {
        throw StoreError.forbiddenMembers
      }
      switch change.action {
      case .follow(let given): roles[change.user] = target.role ?? given
      case .role(let given): roles[change.user] = target.role.map { _ in given }
      case .unfollow: roles[change.user] = .some(nil)
      }
    }
    let own = roles[user] ?? nil
    for link in links where own.map({ access.allows(link, as: $0, isFounder: isFounder) }) != true {
      throw StoreError.forbiddenMembers
    }
  }

  /// Whether a pending operation makes a queue with an identity, which makes the user a founder and an owner of it.
  private func isComing(to queue: QueueID) -> Bool {
    queue.isDerived && memory.withLock { $0.outbox.pendingDoor(of: queue) != nil }
  }

  /// A member as the server said it last.
  private func member(_ member: UserID, of queue: QueueID, _ view: StoreView) throws -> MemberStanding {
    let object = try view.anyObject(SyncID.member(member, inQueue: queue))
    guard let object, object.type == MemberRecord.type else {
      return MemberStanding(role: nil, isFounder: false)
    }
    let role = try MemberRecord(content: object.content).role ?? .reader
    return MemberStanding(role: role, isFounder: object.system.createdBy == member)
  }
}

extension StoreError {
  fileprivate static let forbiddenMembers = StoreError(
    .forbidden, "You are not allowed to change who follows this, or in which role.")

  fileprivate static func notNamed(_ type: String) -> Self {
    Self(.forbidden, "You are not allowed to create this \(type): its identity does not name you.")
  }

  fileprivate static func forbidden(_ change: ObjectChange, _ type: String, field: String?, isThere: Bool) -> Self {
    let what =
      switch (change.action, field) {
      case (.delete, _): "delete this \(type)"
      case (.create, nil) where !isThere: "create this \(type)"
      case (.create, let field?) where !isThere: "decide the \(field) of this new \(type)"
      case (_, nil): "change this \(type)"
      case (_, let field?): "change the \(field) of this \(type)"
      }
    return Self(.forbidden, "You are not allowed to \(what).")
  }
}
