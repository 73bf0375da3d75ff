// What was typed into the fields of an object, and is not an operation yet. Pure.

import ModelTypes

/// The edits of one object, as the difference to what the user saw: merged with what others do meanwhile, a counter adds up
/// and a set keeps the elements of all.
struct Draft<Object: Model> {
  private var seen: Object
  private var edited: Object

  init(of object: Object) { (seen, edited) = (object, object) }

  /// Sets a field. `object` is the object as it is now, without the edits.
  mutating func set<Value>(_ field: WritableKeyPath<Object, Value>, to value: Value, in object: Object) {
    (seen, edited) = (object, merged(into: object))
    edited[keyPath: field] = value
  }

  /// The object with the edits.
  func merged(into object: Object) -> Object {
    do {
      return try object.applying(edited.changes(since: seen))
    } catch {
      // Too large to be encoded: the operation says so, and keeps what was typed.
      return edited
    }
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
