// Rights: who may create, update and delete objects of a model.

/// The role of a member of a queue.
public enum MemberRole: String, Hashable, Sendable, CaseIterable {
  case owner, writer, reader
}

/// Somebody who holds a right: members with at least a role, or the user whose create put the object there.
public enum RightHolder: String, Hashable, Sendable, CaseIterable {
  case owner, writer, reader, creator
}

/// `access:` of a model. Each right is a list of at least one holder; it is enough to be one of them.
public struct AccessDeclaration: Hashable, Sendable {
  public var create: [RightHolder]
  public var update: [RightHolder]
  /// Owners only, where the object is a queue of its own.
  public var delete: [RightHolder]
  /// Of fields with a rule of their own, in the order of the file.
  public var fields: [FieldRight]

  public init(
    create: [RightHolder] = [.writer], update: [RightHolder] = [.writer], delete: [RightHolder] = [.writer],
    fields: [FieldRight] = []
  ) {
    self.create = create
    self.update = update
    self.delete = delete
    self.fields = fields
  }
}

/// The right to change one field, in place of `update:`.
public struct FieldRight: Hashable, Sendable {
  public var field: String
  public var holders: [RightHolder]

  public init(field: String, holders: [RightHolder]) {
    self.field = field
    self.holders = holders
  }
}
