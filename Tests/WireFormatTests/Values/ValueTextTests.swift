// Text and bytes of ids, hashes and moments: how they are written, and which ones are refused.

import TestSupport
import Testing
import WireFormat

@Suite struct ValueTexts {
  static let text = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"

  @Test func idsComeBackFromTextAndBytes() throws {
    let value = try #require(UUIDValue(Self.text))
    #expect(value == UUIDValue(high: 0x017f_22e2_79b0_7cc3, low: 0x98c4_dc0c_0c07_398f))
    #expect(value.description == Self.text)
    #expect(UUIDValue(Self.text.uppercased()) == value)
    #expect(UUIDValue(bytes: value.bytes) == value)
    #expect(value.bytes.first == 1 && value.bytes.last == 0x8f)
    #expect(ObjectID<Self>(Self.text)?.description == Self.text)
  }

  @Test(arguments: [
    "", "017f22e2", text + "0", String(text.dropLast()), "{" + text + "}", text.replacing("-", with: ""),
    "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "017f22e27-9b0-7cc3-98c4-dc0c0c07398f", "-" + text.dropFirst(),
    "017f22e2-79b0-7cc3-98c4-dc0c0c0739é",
  ])
  func refusesTextsThatAreNoIDs(text: String) {
    #expect(UUIDValue(text) == nil)
    #expect(ObjectID<Self>(text) == nil)
  }

  @Test func refusesWrongNumberOfBytes() {
    for count in 0..<40 {
      let bytes = [UInt8](repeating: 7, count: count)
      #expect((UUIDValue(bytes: bytes) == nil) == (count != 16))
      #expect((ContentHash(bytes: bytes) == nil) == (count != 32))
    }
  }

  @Test func hashesComeBackFromTextAndBytes() throws {
    let text = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let hash = try #require(ContentHash(text))
    #expect(hash.description == text)
    #expect(hash.words.0 == 0xe3b0_c442_98fc_1c14)
    #expect(ContentHash(text.uppercased()) == hash)
    #expect(ContentHash(bytes: hash.bytes) == hash)
    #expect(ContentHash(text + " ") == nil)
    #expect(ContentHash(String(text.dropLast()) + "x") == nil)
  }

  @Test func idsAreOrderedByTheirBytes() {
    var numbers = SeededRandom(seed: 1)
    for _ in 0..<1000 {
      let one = UUIDValue(high: numbers.next() % 3, low: numbers.next() % 3)
      let two = UUIDValue(high: numbers.next() % 3, low: numbers.next() % 3)
      #expect((one < two) == one.bytes.lexicographicallyPrecedes(two.bytes))
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_769_846_709_250, "2026-01-31T08:05:09.250Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
      (.max, "+292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
    ] as [(Int64, String)])
  func timestampIsWrittenAsISO8601(milliseconds: Int64, text: String) {
    #expect(Timestamp(millisecondsSince1970: milliseconds).description == text)
  }
}
