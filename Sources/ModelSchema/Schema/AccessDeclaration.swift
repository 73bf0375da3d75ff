// Rights: who may create, update and delete objects of a model.

/// The role of a member of a queue.
public enum MemberRole: String, Hashable, Sendable, CaseIterable {
  case owner, writer, reader
}

/// The holder of a right: a member with at least a role, or the user whose create made the object.
public enum RightHolder: String, Hashable, Sendable, CaseIterable {
  case owner, writer, reader, creator
}

/// The `access:` of a model. Each right is a list of at least one holder; to be one of them is enough.
public struct AccessDeclaration: Hashable, Sendable {
  public var create: [RightHolder]
  public var update: [RightHolder]
  /// Owners only for a model with `queue: self`.
  public var delete: [RightHolder]
  /// Fields with a right of their own, in the order of the file.
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

/// The right to change one field. It replaces `update:` for that field.
public struct FieldRight: Hashable, Sendable {
  public var field: String
  public var holders: [RightHolder]

  public init(field: String, holders: [RightHolder]) {
    self.field = field
    self.holders = holders
  }
}
