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

  /// The entries of a mapping; nil for any other kind. No key is in it twice.
  var pairs: [YAMLPair]? { if case .mapping(let pairs) = content { pairs } else { nil } }

  /// The elements of a list; nil for any other kind.
  var elements: [YAMLNode]? { if case .sequence(let elements) = content { elements } else { nil } }

  /// What a single value says; nil for any other kind.
  var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

  /// The entry of a mapping with this key.
  func pair(_ key: String) -> YAMLPair? { pairs?.first { $0.key.text == key } }

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
