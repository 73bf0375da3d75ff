// A thousand moments ordered by their newest photo, and the same sorted anew from plain values.

import ModelSupport
import MomentsModels

enum NewestFirst {
  private static let count: Int64 = 1_000
  static var moments: [Moment] { (0..<count).map { Moment(id: moment($0), title: "\($0)") } }

  /// Photos belong to the moments in turn, by the second in which they were taken.
  private static func moment(_ second: Int64) -> Moment.ID {
    Moment.ID(UUIDValue(high: 0x4000, low: 1 << 63 | UInt64(0x1_0000 + second % count)))
  }

  static func moment(of time: Timestamp) -> Moment.ID { moment(time.millisecondsSince1970 / 1_000) }

  private static let photos = ChildList<Photo, Moment>("photo.bySecond newest") { (fields: TallyFields, _) in
    Child(of: moment(of: fields.takenAt), by: .ascending(fields.takenAt))
  }

  static let list = ListDefinition<Moment, Unsectioned>("moment.newestFirst", asking: [photos.asked]) {
    (_: NoFields, context) in
    let newest = try context.others.newest(photos, of: Moment.ID(context.id))
    return ListPlace(order: .descending(try context.others.object(newest)?.takenAt))
  }

  /// The moments in order, sorted anew.
  static func flat(_ times: [Timestamp]) -> [Moment.ID] {
    var newest: [Moment.ID: Timestamp] = [:]
    for time in times { newest[moment(of: time)] = max(newest[moment(of: time)] ?? time, time) }
    return newest.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}

private struct NoFields: ListFields {
  static let fieldTable = FieldTable(projection: "moment", of: Self.self)

  func queueID(of id: UUIDValue) -> QueueID? { QueueID(id) }
}
