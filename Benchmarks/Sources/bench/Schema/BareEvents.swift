// The cost of libyaml alone: reads all events and drops them.

import CLibYAML

/// The number of events in all texts.
func countEvents(_ texts: [[UInt8]]) -> Int {
  var count = 0
  for text in texts {
    var parser = yaml_parser_t()
    precondition(yaml_parser_initialize(&parser) == 1, "no memory for a parser")
    defer { yaml_parser_delete(&parser) }
    text.withUnsafeBufferPointer { bytes in
      yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
      var type = YAML_NO_EVENT
      repeat {
        var event = yaml_event_t()
        precondition(yaml_parser_parse(&parser, &event) == 1, "not YAML")
        type = event.type
        yaml_event_delete(&event)
        count += 1
      } while type != YAML_STREAM_END_EVENT
    }
  }
  return count
}
