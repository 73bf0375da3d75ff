// The generated models of Schemas/, used as an app would use them.
import Foundation
import ModelSupport
import MomentsModels
import Testing

@Suite struct MomentsModelsTests {
  let moment = Moment(title: "Hut to hut")

  func photo(hash: UInt64 = 1, in moment: Moment? = nil) -> Photo {
    let file = FileReference(
      hash: ContentHash(words: (hash, 2, 3, 4)), size: 7_958, mime: "image/jpeg", name: "Canon_40D.jpg")
    return Photo(
      moment: (moment ?? self.moment).id, owner: ObjectID(UUIDValue(high: 5, low: 6)), file: file,
      takenAt: Timestamp(millisecondsSince1970: 1_212_162_961_000))
  }

  @Test func defaultsAreThoseOfTheSchema() {
    #expect(photo().hidden == false)
    #expect(photo().caption == nil)
    #expect(photo().tags.isEmpty)
  }

  @Test func theSamePhotoFoundTwiceIsOneObject() {
    #expect(photo().id == photo().id)
    #expect(photo(hash: 1).id != photo(hash: 2).id)
    #expect(photo().id != photo(in: Moment(title: "Another")).id)
    #expect(Moment(title: "a").id != Moment(title: "a").id)
  }

  @Test func photoIsInQueueOfItsMoment() {
    #expect(photo().queueID == moment.queueID)
    #expect(moment.queueID?.rawValue == moment.id.rawValue)
  }

  @Test func everyFixtureSurvivesItsBytes() throws {
    for seed in UInt64(0)..<500 {
      let moment = Moment.fixture(seed: seed)
      #expect(try Moment(id: moment.id, blob: moment.encoded()) == moment, "seed \(seed)")
      let photo = Photo.fixture(seed: seed)
      #expect(try Photo(id: photo.id, blob: photo.encoded()) == photo, "seed \(seed)")
      let notification = MomentNotification.fixture(seed: seed)
      #expect(
        try MomentNotification(id: notification.id, blob: notification.encoded()) == notification, "seed \(seed)")
      let member = Member.fixture(seed: seed)
      #expect(try Member(id: member.id, blob: member.encoded()) == member, "seed \(seed)")
    }
  }

  @Test func unknownWithKnownNumberEqualsItsCase() {
    #expect(MomentNotification.Kind.unknown(1) == .photosShared)
    #expect(MomentNotification.Kind.unknown(1).hashValue == MomentNotification.Kind.photosShared.hashValue)
    #expect(MomentNotification.Kind.unknown(99) != .photosShared)
  }

  @Test func fieldsOfANewerSchemaAreKept() throws {
    let original = photo()
    let newer: [UInt8] = try original.encoded() + [0xA2, 0x06, 2, 0x68, 0x69]  // tag 100: "hi"
    var read = try Photo(id: original.id, blob: newer)
    #expect(try read.encoded() == newer)
    read.caption = "Summit"
    #expect(try read.encoded().suffix(5) == newer.suffix(5))
  }

  @Test func editsOfDifferentFieldsOfPhotoMerge() throws {
    let base = photo()
    var here = base
    here.caption = "Summit"
    here.tags.insert("alps")
    var there = base
    there.hidden = true
    there.tags.insert("snow")
    let mine = try here.changes(since: base)
    let theirs = try there.changes(since: base)
    let result = try base.applying(mine).applying(theirs)
    #expect(try base.applying(theirs).applying(mine) == result)
    #expect(result.caption == "Summit")
    #expect(result.hidden)
    #expect(Array(result.tags) == ["alps", "snow"])
  }

  @Test func fieldTableListsFieldsMergedByElement() {
    #expect(Photo.fieldTable.mergeKinds == MergeKinds(sets: [7, 9]))
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func changesTurnOneValueIntoTheOther(seed: UInt64) throws {
    let old = Photo.fixture(seed: seed)
    let other = Photo.fixture(seed: seed &+ 1_000)
    let new = try Photo(id: old.id, blob: other.encoded())
    let changes = try new.changes(since: old)
    #expect(try old.applying(changes) == new, "seed \(seed)")
    #expect(try new.changes(since: new).isEmpty, "seed \(seed)")
  }

  @Test func theRegistryNamesEveryModel() {
    #expect(MomentsSchema.models.map { $0.modelName } == ["member", "moment", "notification", "photo"])
  }
}
