// The vectors at the end of docs/formats/blob-format.md, which any other platform has to compute too.
// RECORD_GOLDEN=1 writes them again, to be read in review.

import Foundation
import ModelTypes
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct GoldenVectors {
  @Test func theDocumentHasTheVectorsOfThisCode() throws {
    let url = Repository.url("docs/formats/blob-format.md")
    let document = try String(contentsOf: url, encoding: .utf8)
    let begin = try #require(document.range(of: "```vectors\n"))
    let end = try #require(document.range(of: "```\n", range: begin.upperBound..<document.endIndex))
    let recorded = String(document[begin.upperBound..<end.lowerBound])
    let computed = try (mergeVectors() + idVectors() + boundVectors()).joined(separator: "\n") + "\n"
    if Golden.isRecording {
      let changed = document.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: computed)
      try changed.write(to: url, atomically: true, encoding: .utf8)
    } else {
      print(computed)
      #expect(recorded == computed)
    }
  }

  /// The content has owner = 1 with the text "A", caption = 2, tags = 4, likes = 5, and an unknown field.
  private func mergeVectors() throws -> [String] {
    let content: [UInt8] = [
      0x0A, 1, 0x41, 0x12, 1, 0x78, 0x22, 1, 0x61, 0x22, 1, 0x62, 0x28, 1, 0x9D, 6, 0x31, 0x32, 0x33, 0x34,
    ]
    let patches: [(String, Patch)] = [
      ("set", try Patch(set: [0x12, 1, 0x79])),
      ("clear", try Patch(clear: [2])),
      ("insert", try Patch(insert: [0x22, 2, 0x61, 0x61])),
      ("remove", try Patch(remove: [0x22, 1, 0x61])),
      ("increment", try Patch(increment: [0x28, 6])),
      ("fill", try Patch(fill: [0x12, 1, 0x79, 0x18, 2])),
      ("raise", try Patch(raise: [0x28, 2, 0x30, 7])),
      ("lower", try Patch(lower: [0x28, 2, 0x31, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])),
    ]
    return try patches.map { name, patch in
      "merge \(name) \(hex(content)) \(hex(patch.bytes)) \(hex(try patch.merged(into: content)))"
    }
  }

  private func idVectors() throws -> [String] {
    let queue = try #require(QueueID("00010203-0405-4607-8809-0a0b0c0d0e0f"))
    var photo = IdentityHasher(queue: queue, model: "photo")
    photo.combine(3, ContentHash(words: (1, 2, 3, 4)))
    let photoID: ObjectID<Self> = photo.finish()
    var note = IdentityHasher(queue: nil, model: "note")
    note.combine(1, "é")
    note.combine(2, Int32(-1))
    note.combine(3, true)
    note.combine(4, Timestamp(millisecondsSince1970: 1_700_000_000_000))
    let noteID: ObjectID<Self> = note.finish()
    let user = try #require(UserID("00010203-0405-4607-8809-0a0b0c0d0e0f"))
    var chat = IdentityHasher(schema: "Chats", model: "chat")
    chat.combine(1, SortedSet([user, UserID(UUIDValue(high: 1, low: 2))]))
    let chatID: ObjectID<Self> = chat.finish()
    return [
      "id photo \(photoID)", "id note \(noteID)",
      "id home \(SyncID.homeQueue(ofUser: user, schema: "Moments"))", "id chat \(chatID)",
    ]
  }

  /// Ids whose bits all stay, ids with bits that give way to the version, and an id of an object that stays on its
  /// device.
  private func boundVectors() throws -> [String] {
    let queue = try #require(QueueID("00010203-0405-4607-8809-0a0b0c0d0e0f"))
    let cases: [(QueueID, UInt64)] = [
      (queue, 0), (queue, 0x0123_4567_89AB_8DEF), (queue, .max), (.zero, 0x0123_4567_89AB_8DEF),
    ]
    return cases.map { queue, chosen in
      "bound \(queue) \(String(format: "%016lx", chosen)) \(UUIDValue.bound(to: queue, chosen: chosen))"
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }
}
