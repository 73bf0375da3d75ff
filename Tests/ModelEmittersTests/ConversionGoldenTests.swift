// The Swift of models with every kind of conversion, as it was recorded. EvolutionTests compiles and runs the same text.
//
// Re-record: RECORD_GOLDEN=1 swift test --filter ConversionGoldenTests
import EvolutionFixtures
import ModelEmitters
import TestSupport
import Testing

@Suite struct ConversionGoldenTests {
  @Test func convertedFieldsAreAsRecorded() throws {
    let fixture = try ChangeFixture(Repository.url("Tests/EvolutionFixtures/Conversions/chore.txt"))
    let schema = try fixture.schema("now").0
    for name in ["Chore", "Ballot", "Doing"] {
      let file = try #require(Emitter.swift.emit(schema).first { $0.path == "Swift/\(name).generated.swift" })
      let path = "Tests/ModelEmittersTests/Conversions/\(name).txt"
      #expect(try Golden.text(path, recording: file.contents) == file.contents, "\(path) is stale")
    }
  }
}
