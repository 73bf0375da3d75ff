// An action of the user, as a value: generated from `operations:` in a schema, or written by hand.

public import WireFormat

/// A typed user action.
///
/// Its stored properties are its parameters, which the field table describes; they stay beside the changes, for people
/// to read. It holds the id of what it acts on, never a copy.
public protocol ModelOperation: FieldTabled {
  /// Model and operation, such as `photo.hide`. Never changes, since it is stored.
  static var operationName: String { get }

  /// Records in the context what the operation changes, given what the user sees now.
  ///
  /// Called once, when the operation is performed; only the changes are kept, replayed and sent. It must do nothing
  /// else: time, user and objects come from the context. An error that it throws refuses the operation.
  func evaluate(in context: inout OperationContext) throws
}
