// Compares reading schema files with libyaml's bare events on the same texts.

import Foundation
import MeasuredSchema

extension Benchmark {
  static let schema = Benchmark(name: "schema", summary: "schema files to a checked schema") { effort in
    let files = SchemaTexts.files(count: effort.schemas)
    let texts = files.map(\.bytes)
    let lines = texts.reduce(0) { sum, text in sum + text.count { $0 == UInt8(ascii: "\n") } }
    let (measured, checksum) = try measureInTurns(
      [
        Subject(name: bare, operations: 1) { countEvents(texts) },
        Subject(name: reading, operations: 1) { try read(files) },
      ], rounds: effort.rounds)
    let rows = [bare, reading].compactMap { name in
      measured[name].map { own in
        let ratio = own.nanoseconds / (measured[bare]?.nanoseconds ?? .nan)
        return Report.Row(
          what: name, figure: String(format: "%.1f ms, %.0f allocations", own.nanoseconds / 1e6, own.allocations),
          ratio: String(format: "%.2f", ratio), aims: name == reading ? [(.atMost(3, "×"), ratio)] : [])
      }
    }
    let heading =
      "\(files.count) files of \(lines) lines, medians of \(effort.rounds - 1) interleaved rounds, checksum \(checksum)."
    return [Report(heading: heading, rows: rows)]
  }

  private static let bare = "libyaml's bare events"
  private static let reading = "reading and checking the schema, positions included"

  private static func read(_ files: [SourceFile]) throws -> Int {
    let result = SchemaReader.read(files)
    guard let schema = result.schema else { throw WrongSchema(diagnostics: result.diagnostics) }
    return schema.models.count
  }
}

private struct WrongSchema: Error {
  let diagnostics: [Diagnostic]
}
