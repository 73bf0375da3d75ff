// Reads events from libyaml and turns them into Swift values. No other file knows libyaml.

import CLibYAML

/// Reads events from UTF-8 text. Owns the C parser. The bytes must outlive it.
struct YAMLEventReader: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    parser = .allocate(capacity: 1)
    // Fails only where no memory is left. Then the process ends anyway.
    precondition(yaml_parser_initialize(parser) == 1, "libyaml could not allocate a parser")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event that matters. After `streamEnd` or an error every call returns `streamEnd`.
  mutating func next() throws(YAMLSyntaxError) -> YAMLEvent {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
      defer { yaml_event_delete(&event) }
      if let translated = translate(event) { return translated }
    }
  }

  private func translate(_ event: yaml_event_t) -> YAMLEvent? {
    var result = YAMLEvent(kind: .streamEnd, start: position(event.start_mark), end: position(event.end_mark))
    switch event.type {
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: break
    case YAML_DOCUMENT_START_EVENT:
      let document = event.data.document_start
      let hasTags = document.tag_directives.start != document.tag_directives.end
      result.kind = .documentStart(hasDirectives: hasTags || document.version_directive != nil)
    case YAML_DOCUMENT_END_EVENT: result.kind = .documentEnd
    case YAML_ALIAS_EVENT: result.kind = .alias
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      result.hasAnchor = scalar.anchor != nil
      result.hasTag = scalar.tag != nil
      result.kind = Self.scalar(scalar.value, scalar.length, scalar.style)
    case YAML_SEQUENCE_START_EVENT:
      result.hasAnchor = event.data.sequence_start.anchor != nil
      result.hasTag = event.data.sequence_start.tag != nil
      result.kind = .sequenceStart
    case YAML_SEQUENCE_END_EVENT: result.kind = .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      result.hasAnchor = event.data.mapping_start.anchor != nil
      result.hasTag = event.data.mapping_start.tag != nil
      result.kind = .mappingStart(isInBraces: event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_MAPPING_END_EVENT: result.kind = .mappingEnd
    default: return nil
    }
    return result
  }

  private static func scalar(
    _ value: UnsafeMutablePointer<yaml_char_t>?, _ length: Int, _ style: yaml_scalar_style_t
  ) -> YAMLEvent.Kind {
    guard length <= YAMLLimits.scalarBytes else { return .oversizedScalar }
    let text = String(decoding: UnsafeBufferPointer(start: value, count: length), as: UTF8.self)
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: return .scalar(text, .quoted)
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: return .scalar(text, .block)
    default: return .scalar(text, .plain)
    }
  }

  private func position(_ mark: yaml_mark_t) -> SourcePosition {
    SourcePosition(line: mark.line + 1, column: mark.column + 1)
  }

  private func syntaxError() -> YAMLSyntaxError {
    let failed = parser.pointee
    let context = failed.context.map { String(cString: $0) }
    return YAMLSyntaxError(
      problem: failed.problem.map { String(cString: $0) } ?? "unreadable",
      context: context,
      position: position(failed.problem_mark),
      contextPosition: context == nil ? nil : position(failed.context_mark))
  }
}
