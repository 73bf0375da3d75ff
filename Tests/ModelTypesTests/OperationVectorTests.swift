// The vectors at the end of docs/formats/operation-format.md, which any other platform has to read and write too.
// RECORD_GOLDEN=1 writes them again, to be read in review.

import Foundation
import ModelTypes
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct OperationVectors {
  @Test func theDocumentHasTheVectorsOfThisCode() throws {
    let computed = try vectors().map { name, changes in
      let bytes = try changes.encoded()
      #expect(try OperationChanges(bytes: bytes) == changes, "\(name)")
      return "changes \(name) \(bytes.map { String(format: "%02x", $0) }.joined())\n"
    }.joined()
    let url = Repository.url("docs/formats/operation-format.md")
    let document = try String(contentsOf: url, encoding: .utf8)
    let begin = try #require(document.range(of: "```vectors\n"))
    let end = try #require(document.range(of: "```\n", range: begin.upperBound..<document.endIndex))
    if Golden.isRecording {
      let changed = document.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: computed)
      try changed.write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(document[begin.upperBound..<end.lowerBound] == computed)
    }
  }

  /// Changes of the object 00010203-0405-4607-8809-0a0b0c0d0e0f, which has text = 2, number = 3, tags = 4, votes = 5.
  private func vectors() throws -> [(String, OperationChanges)] {
    let id = try #require(UUIDValue("00010203-0405-4607-8809-0a0b0c0d0e0f"))
    func one(_ action: ObjectChange.Action, _ newestBy: Int64? = nil, _ condition: ObjectChange.Condition? = nil)
      -> OperationChanges
    {
      OperationChanges(objects: [ObjectChange(id, action, newestBy: newestBy, condition: condition)])
    }
    var edit = PatchBuilder()
    edit.set(2, "x")
    edit.clear(3)
    edit.insert(4, "b")
    edit.insert(4, "a")
    edit.remove(4, "c")
    edit.increment(5, by: -1)
    var name = PatchBuilder()
    name.set(2, "y")
    let fill = try PatchBuilder().patch(filling: [0x12, 1, 0x78])
    return [
      ("create", one(.create(type: "photo", fill), -3)),
      ("upsert", one(.create(type: "photo", try name.patch(filling: [0x12, 1, 0x78])))),
      ("reviving", one(.create(type: "photo", fill, Revival(isReviving: true)), nil, .absent)),
      ("seen", one(.create(type: "photo", fill, Revival(seen: SeenVersion(history: HistoryID(id), cursor: 7))))),
      ("patch", one(.patch(try edit.patch()), nil, .content(ContentHash(words: (5, 6, 7, 8))))),
      ("delete", one(.delete)),
      (
        "members",
        OperationChanges(members: [.follow(UserID(id), as: .reader), .role(UserID(id), .owner), .unfollow(.zero)])
      ),
      (
        "links",
        OperationChanges(links: [
          LinkChange(
            ContentHash(words: (1, 2, 3, 4)),
            .open(.reader, uses: 20, until: Timestamp(millisecondsSince1970: 1_700_000_000_000))),
          LinkChange(ContentHash(words: (5, 6, 7, 8)), .close),
        ])
      ),
      ("join", OperationChanges(join: LinkSecret(id))),
      ("files", OperationChanges(files: [ContentHash(words: (1, 2, 3, 4))])),
      (
        "named",
        OperationChanges(objects: [
          ObjectChange(
            id, .create(type: "photo", fill),
            files: [
              FileField(tag: 2, hashes: [ContentHash(words: (1, 2, 3, 4)), ContentHash(words: (5, 6, 7, 8))]),
              FileField(tag: 6, hashes: []),
            ])
        ])
      ),
    ]
  }
}
