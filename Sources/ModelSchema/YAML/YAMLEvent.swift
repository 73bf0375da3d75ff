// The events of the YAML parser as Swift values.

/// One event, with the place of its text.
struct YAMLEvent {
  enum Kind {
    case streamEnd
    case documentStart(hasDirectives: Bool)
    case documentEnd
    case scalar(String, YAMLScalarStyle)
    case sequenceStart
    case sequenceEnd
    case mappingStart(isInBraces: Bool)
    case mappingEnd
    case alias
    /// A scalar longer than `YAMLLimits.scalarBytes`.
    case oversizedScalar
  }

  var kind: Kind
  var start: SourcePosition
  var end: SourcePosition
  var hasAnchor = false
  var hasTag = false
}

/// How a scalar is written. A quoted one is always text.
enum YAMLScalarStyle {
  case plain, quoted, block
}

/// A syntax error, as libyaml describes it.
struct YAMLSyntaxError: Error {
  var problem: String
  var context: String?
  var position: SourcePosition
  var contextPosition: SourcePosition?
}

/// Bounds that keep a hostile file from using much time or memory.
enum YAMLLimits {
  static let fileBytes = 1 << 20
  static let depth = 32
  static let nodes = 50_000
  static let scalarBytes = 16 << 10
}
