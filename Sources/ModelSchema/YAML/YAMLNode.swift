// A YAML file as a tree. Every node knows its place.

/// A scalar, a sequence or a mapping.
struct YAMLNode {
  enum Content {
    case scalar(String, YAMLScalarStyle)
    case sequence([YAMLNode])
    case mapping([YAMLPair])
    /// A value that has been reported. Nothing more is reported about it.
    case invalid
  }

  var content: Content
  var range: SourceRange

  /// The kind in words, for diagnostics.
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

  /// Whether nothing is written at all, as behind `key:`.
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

/// A piece of text and its place.
struct Spelled: Hashable {
  var text: String
  var range: SourceRange
}
