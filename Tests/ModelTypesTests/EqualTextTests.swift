// Texts that Swift calls equal, in different bytes: one text wherever a device compares.

import ModelTypes
import Snapshots
import Testing
import WireFormat

@Suite struct EqualTextTests {
  /// "é" as a keyboard writes it, and as a file name of a Mac has it.
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  private struct Place {}

  private func id(_ text: String) -> ObjectID<Place> {
    var hasher = IdentityHasher(queue: nil, model: "place")
    hasher.combine(1, text)
    return hasher.finish()
  }

  @Test func equalTextsHaveDifferentBytes() {
    #expect(composed == decomposed && Array(composed.utf8) != Array(decomposed.utf8))
  }

  @Test func equalTextsAreOneIdentity() {
    #expect(id(composed) == id(decomposed) && id(composed) != id("cafe"))
  }

  @Test func equalTextsAreOneDistinctValue() {
    #expect(DistinctValue.exact(composed) == DistinctValue.exact(decomposed))
    #expect(DistinctValue.exact(composed) != DistinctValue.exact("cafe"))
  }

  @Test(arguments: [false, true]) func equalTextsAreOneSection(isDescending: Bool) throws {
    let keys = [composed, decomposed].map { isDescending ? ListKey.descending($0) : .ascending($0) }
    #expect(keys[0] == keys[1])
    let section = try #require(String(keys[1], isDescending: isDescending))
    #expect(Array(section.utf8) == Array(composed.utf8))
  }
}
