// A YAML file as a tree whose every node knows its place.

/// A scalar, a sequence or a mapping.
struct YAMLNode {
  enum Content {
    case scalar(String, YAMLScalarStyle)
    case sequence([YAMLNode])
    case mapping([YAMLPair])
    /// Already reported; nothing more is said about it.
    case invalid
  }

  var content: Content
  var range: SourceRange

  /// Its name in diagnostics.
  var kindName: String {
    switch content {
    case .scalar("", .plain): "nothing"
    case .scalar("", _): "an empty text"
    case .scalar: "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .invalid: "something unreadable"
    }
  }

  var isInvalid: Bool {
    if case .invalid = content { true } else { false }
  }

  /// Nothing written at all, as behind `key:`.
  var isEmptyScalar: Bool {
    if case .scalar("", .plain) = content { true } else { false }
  }
}

/// A key and its value.
struct YAMLPair {
  /// Always a scalar.
  var key: Spelled
  var value: YAMLNode
}

/// A piece of text and where it stands.
struct Spelled: Hashable {
  var text: String
  var range: SourceRange
}
