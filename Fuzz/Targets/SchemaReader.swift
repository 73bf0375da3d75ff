// The fuzz target of the schema reader: any bytes give a result, and that result can be shown.

import ModelSchema

/// Reads `bytes` as a folder of schema files, cut at the byte 0x1E, and renders the diagnostics in every form.
public func fuzzSchemaReader(_ bytes: UnsafeRawBufferPointer) {
  let names = ["photo.yaml", "moment.yaml", "member.yaml", "modelgen.yaml"]
  let parts = bytes.split(separator: 0x1E, maxSplits: names.count - 1, omittingEmptySubsequences: false)
  var files = zip(names, parts).map { SourceFile(path: $0, bytes: Array($1)) }
  if files.count < names.count { files.append(SourceFile(path: names[3], bytes: Array("schema: Fuzz\n".utf8))) }
  let result = SchemaReader.read(files)

  let hasErrors = result.diagnostics.contains { $0.severity == .error }
  precondition((result.schema == nil) == hasErrors, "a schema is absent if and only if there is an error")
  for colour in [false, true] {
    let renderer = DiagnosticRenderer(sources: files, colour: colour)
    for render in [renderer.text, renderer.json, renderer.github] {
      precondition(result.diagnostics.isEmpty || render(result.diagnostics).utf8.count > 0, "nothing is shown")
    }
  }
  for range in result.diagnostics.flatMap({ [$0.location] + $0.related.map(\.location) }) {
    precondition(range.start.line >= 1 && range.start.column >= 1 && range.start <= range.end, "a place is no place")
  }
  // Diagnostics do not depend on the order in which a folder lists its files.
  precondition(SchemaReader.read(files.reversed()).diagnostics == result.diagnostics, "the order of files is seen")
}
