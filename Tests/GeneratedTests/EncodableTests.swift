// JSON of models and views, as a program without protobuf gets it.
import Foundation
import ModelSupport
import MomentsModels
import Testing

@Suite struct EncodableTests {
  private let me = UserID(UUIDValue(high: 7, low: 7))

  private func json(_ value: some Encodable) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
  }

  private func photo(in moment: Moment) -> Photo {
    Photo(
      moment: moment.id, owner: Member.id(in: moment.id.queueID, user: me),
      file: FileReference(hash: ContentHash(words: (1, 2, 3, 4)), size: 7_958, mime: "image/jpeg", name: "a.jpg"),
      takenAt: Timestamp(millisecondsSince1970: 1_212_162_961_250), tags: ["lake", "ferry"],
      place: Photo.Place(latitude: 47.5, longitude: -13.25), likedBy: [me])
  }

  @Test func aModelIsWrittenByTheNamesOfItsFields() throws {
    let moment = Moment(title: "Alps")
    let photo = photo(in: moment)
    let object = try json(photo)
    #expect(object["id"] as? String == photo.id.description)
    #expect(object["moment"] as? String == moment.id.description)
    #expect(object["takenAt"] as? String == "2008-05-30T15:56:01.250Z")
    #expect(object["caption"] is NSNull)
    #expect(object["hidden"] as? Bool == false)
    #expect(object["tags"] as? [String] == ["ferry", "lake"])
    #expect(object["likedBy"] as? [String] == [me.description])
    let file = try #require(object["file"] as? [String: Any])
    #expect(file["size"] as? Int == 7_958 && file["hash"] as? String == photo.file.hash.description)
    let place = try #require(object["place"] as? [String: Any])
    #expect(place["latitude"] as? Double == 47.5 && place["longitude"] as? Double == -13.25)
    #expect(place["name"] is NSNull)
  }

  @Test func enumIsEncodedAsNameOfItsCase() throws {
    var notification = MomentNotification(
      kind: .photoLiked, sender: me, recipient: me, moment: Moment(title: "Alps").id, photos: [],
      createdAt: Timestamp(millisecondsSince1970: 0))
    #expect(try json(notification)["kind"] as? String == "photoLiked")
    notification.kind = .unknown(7)
    #expect(try json(notification)["kind"] as? String == "unknown(7)")
  }

  @Test func aViewIsWrittenWithItsID() throws {
    struct Row: Encodable {
      var cell: Photo.Cell
      var isPending: Bool
    }
    let photo = photo(in: Moment(title: "Alps"))
    let cell = try Photo.Cell(of: photo, from: NothingElse(user: me))
    let row = try json(Row(cell: cell, isPending: true))
    let object = try #require(row["cell"] as? [String: Any])
    #expect(object.keys.sorted() == ["caption", "id", "likes", "mine", "moment", "owner"])
    #expect(object["id"] as? String == photo.id.description && object["likes"] as? Int == 1)
    #expect(object["owner"] is NSNull)
  }

  @Test(arguments: [0, 1, -1, 1_250, 1_212_162_961_251, -62_135_596_800_000])
  func timestampSurvivesConversionToDate(milliseconds: Int64) {
    let time = Timestamp(millisecondsSince1970: milliseconds)
    #expect(Timestamp(Date(time)) == time)
    #expect(abs(Date(time).timeIntervalSince1970 - Double(milliseconds) / 1_000) < 0.000_01)
  }

  @Test func dateOutOfRangeBecomesNearestTimestamp() {
    #expect(Timestamp(.distantFuture).millisecondsSince1970 == 64_092_211_200_000)
    #expect(Timestamp(Date(timeIntervalSince1970: .infinity)).millisecondsSince1970 == .max)
    #expect(Timestamp(Date(timeIntervalSince1970: -1e300)).millisecondsSince1970 == .min)
  }
}

/// A source in which no other object exists.
private struct NothingElse: ViewSource {
  let user: UserID
  let system = SystemFields(createdBy: .zero, at: .zero)

  func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object? { nil }

  func systemFields<Object: Model>(of id: ObjectID<Object>?) -> SystemFields? { nil }

  func answer<Object: Model, Parent: Model>(
    _: ChildQuestion, of _: ObjectID<Parent>, in _: ChildList<Object, Parent>
  ) -> ChildAnswer { .number(0) }

  func own<Object: Model>(in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>) -> ObjectID<Object> {
    make(queue, user)
  }
}
