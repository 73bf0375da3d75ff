// The fuzz target of the schema reader: any bytes give a result, and that result can be shown.

import ModelSchema

/// Reads `bytes` as a schema file beside a sound `modelgen.yaml`, and renders what is said about it.
public func fuzzSchemaReader(_ bytes: UnsafeRawBufferPointer) {
  let files = [
    SourceFile(path: "modelgen.yaml", bytes: Array("schema: Fuzz\n".utf8)),
    SourceFile(path: "photo.yaml", bytes: Array(bytes)),
  ]
  let result = SchemaReader.read(files)
  let renderer = DiagnosticRenderer(sources: files, colour: false)
  let shown = [renderer.text, renderer.json, renderer.github].map { $0(result.diagnostics).utf8.count }
  precondition(result.schema != nil || shown.allSatisfy { $0 > 0 }, "a schema is absent without a reason")
}
