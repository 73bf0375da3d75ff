// Operations: the actions of users on objects of a model, as declared effects.

/// A typed user action on one object of the model it is declared in.
public struct OperationDeclaration: Hashable, Sendable {
  public var name: String
  /// The name in outboxes and reports: the first one the operation ever had (`was:`), else `name`.
  public var wireName: String
  public var doc: String?
  public var parameters: [ParameterDeclaration]
  /// Files that must have reached the server before: `uploaded($photos.file)`.
  public var requirements: [ValueExpression]
  public var effects: [Effect]

  public init(
    name: String, wireName: String? = nil, doc: String?, parameters: [ParameterDeclaration],
    requirements: [ValueExpression], effects: [Effect]
  ) {
    self.name = name
    self.wireName = wireName ?? name
    self.doc = doc
    self.parameters = parameters
    self.requirements = requirements
    self.effects = effects
  }
}

public struct ParameterDeclaration: Hashable, Sendable {
  public var name: String
  public var type: FieldType

  public init(name: String, type: FieldType) {
    self.name = name
    self.type = type
  }
}

/// One change that an operation makes.
public enum Effect: Hashable, Sendable {
  /// Also `raise` and `lower`, which are bounds of the assignments.
  case set([FieldAssignment])
  case clear([String])
  case insert([FieldAssignment])
  case remove([FieldAssignment])
  case increment([FieldAssignment])
  case create(model: String, [FieldAssignment])
  /// Creates the object if it is absent, then sets the given fields. The model has an identity.
  case upsert(model: String, [FieldAssignment])
  case delete
  /// Makes a user a follower in this role, or as a writer where it is nil.
  case follow(ValueExpression, MemberRole?)
  /// Gives a member this role.
  case role(ValueExpression, MemberRole)
  case unfollow(ValueExpression)
}

/// A value for one field of the effect's target.
public struct FieldAssignment: Hashable, Sendable {
  public var field: String
  public var value: ValueExpression
  /// Nil if the field takes the value in any case.
  public var bound: FieldBound?

  public init(field: String, value: ValueExpression, bound: FieldBound? = nil) {
    self.field = field
    self.value = value
    self.bound = bound
  }
}

/// When a field takes a value: if it is larger than the present one, or smaller.
public enum FieldBound: String, Hashable, Sendable, CaseIterable {
  case raise, lower
}

/// The source of a value in an operation. A path may be empty; it leads through refs and structs.
public enum ValueExpression: Hashable, Sendable {
  /// `$name.path`
  case parameter(String, path: [String])
  /// `$me`
  case me
  /// `$self.path`
  case object(path: [String])
  /// `$now`
  case now
  /// `$today`, in conditions only.
  case today
  /// `member($me)`: the object of this model in the same queue whose only identity field has this value.
  indirect case lookup(model: String, ValueExpression, path: [String])
  case literal(Literal)
}
