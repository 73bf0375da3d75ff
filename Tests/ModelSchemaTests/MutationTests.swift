// The real schemas, damaged at random: reading never traps, and the places of its diagnostics are ranges.

import ModelSchema
import TestSupport
import Testing

@Suite struct MutationTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func damagedSchemasNeverTrap(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let original = try SchemaFolder.repository()
    for round in 0..<150 {
      var files = original
      for _ in 0..<(1 + Int(random.next() % 4)) {
        let index = Int(random.next() % UInt64(files.count))
        Self.mutate(&files[index].bytes, &random)
      }
      let result = SchemaReader.read(files)
      let text = DiagnosticRenderer(sources: files, colour: true).text(result.diagnostics)
      let hasErrors = result.diagnostics.contains { $0.severity == .error }
      #expect((result.schema == nil) == hasErrors, "seed \(seed), round \(round)")
      #expect(text.isEmpty == result.diagnostics.isEmpty, "seed \(seed), round \(round)")
      for diagnostic in result.diagnostics {
        let range = diagnostic.location
        #expect(range.start.line >= 1 && range.start.column >= 1, "seed \(seed), round \(round)")
        #expect(range.start <= range.end, "seed \(seed), round \(round), \(diagnostic)")
      }
    }
  }

  static func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let signs = Array("{}[]():,=?$.&*!|>%@`'\"#-\t\n 0".utf8) + [0, 0x0D, 0x80, 0xC2, 0x85, 0xE2, 0xFF]
    guard !bytes.isEmpty else { return }
    let place = Int(random.next() % UInt64(bytes.count))
    switch random.next() % 5 {
    case 0: bytes.remove(at: place)
    case 1: bytes.insert(signs[Int(random.next() % UInt64(signs.count))], at: place)
    case 2: bytes[place] = signs[Int(random.next() % UInt64(signs.count))]
    case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 20)))
    default:
      let end = min(bytes.count, place + Int(random.next() % 40))
      bytes.insert(contentsOf: bytes[place..<end], at: Int(random.next() % UInt64(bytes.count)))
    }
  }
}
