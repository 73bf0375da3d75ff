// A view with four answers about all photos, and the same worked out anew from plain values.

import ModelSupport
import MomentsModels

/// How many photos are later than a time, how many are hidden, what a number of theirs adds up to, and the latest.
struct PhotoTally: ModelView {
  let id: Moment.ID
  let later: Int
  let hidden: [ValueCount<Bool>]
  let sum: Int64
  let latest: Photo.ID?

  init(of moment: Moment, from source: some ViewSource) throws {
    id = moment.id
    later = try source.count(Self.byTime, of: moment.id, .greater, Self.time)
    hidden = try source.counts(Self.byHidden, of: moment.id, by: Bool.self)
    sum = try source.sum(Self.added, of: moment.id)
    latest = try source.newest(Self.byTime, of: moment.id)
  }

  static let time = Timestamp(millisecondsSince1970: 1_700_000_500_000)

  private static let byTime = ChildList<Photo, Moment>("photo.inMoment by time") { (fields: TallyFields, _) in
    Child(of: fields.moment, by: .ascending(fields.takenAt))
  }
  private static let byHidden = ChildList<Photo, Moment>("photo.inMoment by hidden") { (fields: TallyFields, _) in
    Child(of: fields.moment, by: .ascending(fields.hidden))
  }
  private static let added = ChildList<Photo, Moment>("photo.inMoment sum") { (fields: TallyFields, _) in
    Child(of: fields.moment, adding: fields.takenAt.millisecondsSince1970)
  }
}

/// The fields of a photo that lists of children use.
struct TallyFields: ListFields {
  var moment = Moment.ID.zero
  var takenAt = Timestamp.zero
  var hidden = false

  static let fieldTable = FieldTable(
    projection: "photo", Field(1, "moment", \Self.moment), Field(4, "takenAt", \Self.takenAt),
    Field(6, "hidden", \Self.hidden))

  func queueID(of id: UUIDValue) -> QueueID? { moment.queueID }
}

/// The same answers from an array of all photos.
struct FlatRecount {
  private(set) var later = 0
  private var hidden: [Bool: Int] = [:]
  private var sum: Int64 = 0
  private var latest: Timestamp?

  init(_ photos: [(takenAt: Timestamp, hidden: Bool)]) {
    for photo in photos {
      if photo.takenAt > PhotoTally.time { later += 1 }
      hidden[photo.hidden, default: 0] += 1
      sum += photo.takenAt.millisecondsSince1970
      latest = max(latest ?? photo.takenAt, photo.takenAt)
    }
  }
}
