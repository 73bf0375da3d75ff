// A model as the generator writes it, with 13 fields.

import ModelSupport

struct BenchPhoto: Model {
  let id: ObjectID<BenchPhoto>
  var moment = QueueID.zero
  var owner = UserID.zero
  var album: UserID?
  var takenAt = Timestamp.zero
  var caption: String?
  var hidden = false
  var width: Int32 = 0
  var height: Int32 = 0
  var latitude: Double?
  var longitude: Double?
  var views: Int64 = 0
  var camera = ""
  var likedBy: SortedSet<UserID> = []
  var unknownFields = UnknownFields.none

  static let modelName = "photo"
  var queueID: QueueID? { moment }
  init(zeroWithID id: ObjectID<BenchPhoto>) { self.id = id }

  static let fieldTable = FieldTable(
    "photo", unknownFields: \Self.unknownFields,
    Field(1, "moment", \Self.moment), Field(2, "owner", \Self.owner), Field(3, "album", \Self.album),
    Field(4, "takenAt", \Self.takenAt), Field(5, "caption", \Self.caption), Field(6, "hidden", \Self.hidden),
    Field(7, "width", \Self.width), Field(8, "height", \Self.height), Field(9, "latitude", \Self.latitude),
    Field(10, "longitude", \Self.longitude), Field(11, "views", counter: \Self.views),
    Field(12, "camera", \Self.camera), Field(13, "likedBy", \Self.likedBy))

  static func sample(_ number: UInt64) -> Self {
    func id(_ salt: UInt64) -> UUIDValue {
      UUIDValue(high: (number &+ salt) &* 0x9E37_79B9_7F4A_7C15, low: salt &* 0xBF58_476D_1CE4_E5B9 | 1)
    }
    var photo = Self(zeroWithID: .init(id(1)))
    photo.moment = .init(id(2))
    photo.owner = .init(id(3))
    photo.album = .init(id(4))
    photo.takenAt = Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 1_000)
    photo.caption = "The bridge in the morning light, \(number)"
    photo.width = 4032
    photo.height = 3024
    photo.latitude = 48.2 + Double(number) / 1_000
    photo.longitude = 16.4
    photo.views = Int64(number)
    photo.camera = "A camera with a long name"
    photo.likedBy = [.init(id(5)), .init(id(6)), .init(id(7))]
    return photo
  }
}

struct BenchKeys: FieldProjection {
  var takenAt = Timestamp.zero
  var hidden = false

  static let fieldTable = FieldTable(
    projection: "photo", Field(4, "takenAt", \Self.takenAt), Field(6, "hidden", \Self.hidden))
}
