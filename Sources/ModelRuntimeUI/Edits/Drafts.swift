// What was typed into the fields of an object, and is not an operation yet. Pure.

import ModelTypes

/// New values of fields, in the order in which they were last set.
struct Drafts<Object> {
  private var drafts: [(field: PartialKeyPath<Object>, set: (inout Object) -> Void)] = []

  /// Replaces the draft of this field.
  mutating func set<Value>(_ field: WritableKeyPath<Object, Value>, to value: Value) {
    drafts.removeAll { $0.field == field }
    drafts.append((field, { $0[keyPath: field] = value }))
  }

  /// Sets the fields of an object to their drafts.
  func apply(to object: inout Object) {
    for draft in drafts { draft.set(&object) }
  }
}

/// Whether a control sets such a value once, and not many times in a row: a toggle or a picker, and not a text field or
/// a slider.
func isChosen(_ type: Any.Type) -> Bool {
  if let optional = type as? any OptionalType.Type { return isChosen(optional.wrapped) }
  return type == Bool.self || type is any ModelEnum.Type
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
