// Sections by initial letters, as in an address book.

import ModelTypes
import Snapshots
import TestSupport
import Testing

@Suite struct InitialSectionTests {
  @Test(
    arguments: [
      ("Anna", "A"), ("anna", "A"), ("Äpfel", "A"), ("A\u{308}pfel", "A"), ("\u{308}Äpfel", "A"), ("Ørsted", "Ø"),
      ("ßeta", "ß"), ("İzmir", "I"), ("жук", "Ж"), ("Ωmega", "Ω"), ("東京", "東"), ("각", "ᄀ"), ("ᏸ", "Ᏸ"),
      ("", "#"), ("7 of us", "#"), (" Anna", "#"), ("#tag", "#"), ("_", "#"), ("🦊 fox", "#"), ("\u{308}", "#"),
      ("\u{0}a", "#"), ("①", "#"), ("٣", "#"),
    ])
  func findsSectionOfText(text: String, expected: String) {
    #expect(InitialSection(of: text).description == expected)
  }

  @Test func sectionsAreTheFirstScalarsOfFoldedTexts() {
    var random = SeededRandom(seed: 7)
    let scalars: [Unicode.Scalar] = [
      "A", "z", "Ä", "İ", "\u{308}", "\u{301}", "\u{345}", "\u{302E}", "\u{1100}", "각", "🦊", "\u{200D}", "\n", " ",
    ]
    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<random.below(5) { text.append(random.pick(scalars)) }
      let folded = String(text)._folded.unicodeScalars.first
      let letter = folded.flatMap { $0.properties.isAlphabetic ? String($0) : nil }
      #expect(InitialSection(of: String(text)).letter == letter, "seed 7, \(Array(text))")
    }
  }

  /// Keys of sections compare as the sections do, and sections as the folded texts in them. The section for texts
  /// without a letter is last in both directions.
  @Test func sectionKeysKeepOrderWithNoLetterLast() throws {
    let texts = ["apple", "Zebra", "ähnlich", "Übung", "жук", "東京", "𐐷", "bee"].sorted { $0._folded < $1._folded }
    let sections = texts.map { InitialSection(of: $0) }
    #expect(sections == sections.sorted())
    let other = InitialSection(of: "7")
    #expect(sections.allSatisfy { $0 < other } && other.letter == nil)
    for (first, second) in zip(sections, sections.dropFirst()) where first != second {
      #expect(try Self.number(.ascending(first)) < Self.number(.ascending(second)))
      #expect(try Self.number(.descending(first)) > Self.number(.descending(second)))
    }
    for section in sections + [other] {
      #expect(InitialSection(.ascending(section), isDescending: false) == section)
      #expect(InitialSection(.descending(section), isDescending: true) == section)
      #expect(try Self.number(.ascending(section)) <= Self.number(.ascending(other)))
      #expect(try Self.number(.descending(section)) <= Self.number(.descending(other)))
    }
    #expect(ListKey.ascending(nil as InitialSection?) == .null && ListKey.descending(nil as InitialSection?) == .null)
    #expect(InitialSection(.null, isDescending: false) == nil)
  }

  private static func number(_ key: ListKey) throws -> UInt64 {
    guard case .number(let number) = key else { throw CancellationError() }
    return number
  }
}
