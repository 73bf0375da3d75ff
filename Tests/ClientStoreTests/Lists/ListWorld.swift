// A store with open lists, and their expected content: the objects that the user sees, filtered and sorted as a whole.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

/// `@unchecked Sendable`: one task changes the world, and others only look at its store.
final class ListWorld: @unchecked Sendable {
  let temporary: TemporaryStore
  let server = HandServer()
  let calendar = ListCalendar(timeZone: TimeZone(identifier: "Asia/Kathmandu")!)
  let moments = (1...3).map { Moment(id: .queue(UInt64($0)), title: "Moment \($0)") }
  var store: ModelStore { temporary.store }
  private var random: SeededRandom
  private var revision: Int64 = 0
  private var handles: [OperationHandle] = []

  init(seed: UInt64 = 1) throws {
    temporary = try ModelStore.$placedAtOnce.withValue([0, 2, 256][Int(seed % 3)]) { try TemporaryStore() }
    random = SeededRandom(seed: seed)
  }

  init(_ temporary: TemporaryStore) { (self.temporary, random) = (temporary, SeededRandom(seed: 1)) }

  static let day: Int64 = 86_400_000

  func photo(_ number: UInt64, in moment: Int = 0, hash: UInt64? = nil, at time: Int64 = 0) -> Photo {
    Photo(
      moment: moments[moment].id, owner: .zero,
      file: FileReference(
        hash: ContentHash(words: (hash ?? number, 2, 3, 4)), size: 1, mime: "image/jpeg", name: "a.jpg"),
      takenAt: Timestamp(millisecondsSince1970: time))
  }

  /// Brings changes of others, and outcomes of the operations that are sent.
  func reveal(_ objects: [Photo], without deleted: [Photo.ID] = [], in moment: Int = 0) async throws {
    let queue = moments[moment].id.queueID
    try await store.waitUntilSaved()
    let sent = try await store.send(in: queue)
    revision += 1
    // Some of the operations are decided later.
    let outcomes = sent.prefix(.random(in: sent.count / 2...sent.count, using: &random)).map {
      OperationOutcome(operation: $0.operation, status: .applied, at: revision)
    }
    var states: [ObjectState] = []
    for object in objects { states.append(try store.state(of: object, revision: revision)) }
    states += deleted.map { ObjectState(id: $0.rawValue, revision: revision, live: nil) }
    // The page also has all other objects of the queue as the user sees them, so it includes what was applied.
    let named = Set(states.map(\.id))
    for photo in try store.objects(Photo.self) where photo.moment == moments[moment].id {
      if !named.contains(photo.id.rawValue) { states.append(try store.state(of: photo, revision: revision)) }
    }
    for moment in try store.objects(Moment.self) where moment.id.queueID == queue {
      states.append(try store.state(of: moment, revision: revision))
    }
    for member in try store.objects(Member.self) where member.moment.queueID == queue {
      states.append(try store.state(of: member, revision: revision))
    }
    try await server.reveal(states, upTo: revision, outcomes: outcomes, to: store, in: queue)
  }
}

// The expected lists.
extension ListWorld {
  struct Plain: Equatable, CustomStringConvertible {
    var sections: [(day: CalendarDay, ids: [Photo.ID])]

    static func == (left: Self, right: Self) -> Bool {
      left.sections.elementsEqual(right.sections) { $0.day == $1.day && $0.ids == $1.ids }
    }

    var description: String { sections.map { "\($0.day): \($0.ids.count)" }.joined(separator: ", ") }
  }

  func timeline() throws -> Plain { try timeline(upTo: .max) }

  /// The same with the limit of `Photo.latest`.
  func latest() throws -> Plain { try timeline(upTo: 12) }

  private func timeline(upTo limit: Int) throws -> Plain {
    let shown = try store.objects(Photo.self).filter { !$0.hidden }.sorted {
      ($1.takenAt, $0.id.rawValue) < ($0.takenAt, $1.id.rawValue)
    }
    var hashes: Set<ContentHash> = []
    var plain = Plain(sections: [])
    for photo in shown where hashes.count < limit && hashes.insert(photo.file.hash).inserted {
      let day = Self.plainDay(of: photo.takenAt, in: calendar.timeZone)
      if plain.sections.last?.day != day { plain.sections.append((day, [])) }
      plain.sections[plain.sections.count - 1].ids.append(photo.id)
    }
    return plain
  }

  /// The day of a time, by Foundation's calendar.
  static func plainDay(of time: Timestamp, in zone: TimeZone) -> CalendarDay {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let date = Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000)
    var utc = Calendar(identifier: .gregorian)
    utc.timeZone = TimeZone(identifier: "UTC")!
    let midnight = utc.date(from: calendar.dateComponents([.year, .month, .day], from: date))!
    return CalendarDay(daysSince1970: Int64((midnight.timeIntervalSince1970 / 86_400).rounded()))
  }

  static func plain(_ snapshot: ListSnapshot<Photo, CalendarDay>) -> Plain {
    Plain(
      sections: (0..<snapshot.sectionCount).map { number in
        (snapshot.section(at: number), snapshot.positions(ofSection: number).map { snapshot.id(at: $0) })
      })
  }
}

// Random changes.
extension ListWorld {
  /// Makes a random change of the photos, and returns its name for messages.
  func change() async throws -> String {
    let photos = try store.objects(Photo.self)
    let moment = Int.random(in: 0..<3, using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3:
      let number = UInt64.random(in: 0..<60, using: &random)
      let time = Int64.random(in: -3 * Self.day...3 * Self.day, using: &random)
      store.create(photo(number, in: moment, at: time))
      return "create"
    case 4:
      guard let photo = photos.randomElement(using: &random) else { return "nothing" }
      let time = Timestamp(millisecondsSince1970: .random(in: -3 * Self.day...3 * Self.day, using: &random))
      handles.append(store.update(photo.id) { $0.takenAt = time })
      return "move"
    case 5, 6:
      guard let photo = photos.randomElement(using: &random) else { return "nothing" }
      handles.append(store.update(photo.id) { $0.hidden.toggle() })
      return "hide or show"
    case 7:
      guard let photo = photos.randomElement(using: &random) else { return "nothing" }
      handles.append(store.delete(photo.id))
      return "delete"
    case 8:
      guard let handle = handles.randomElement(using: &random) else { return "nothing" }
      handle.cancel()
      return "cancel"
    case 9, 10:
      var theirs: [Photo] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let number = UInt64.random(in: 0..<60, using: &random)
        theirs.append(
          photo(number, in: moment, at: .random(in: -3 * Self.day...3 * Self.day, using: &random)))
      }
      let theirIDs = Set(theirs.map(\.id))
      let deleted = photos.filter { $0.moment == moments[moment].id && !theirIDs.contains($0.id) }.prefix(1).map(\.id)
      try await reveal(theirs, without: Bool.random(using: &random) ? deleted : [], in: moment)
      return "reveal"
    case 11:
      try await store.receiveReset(of: moments[moment].id.queueID)
      return "reset"
    case 12:
      let (known, next) = (HistoryID(.zero), HistoryID(UUIDValue(high: 1, low: UInt64(revision))))
      _ = try await store.isHistory(known)
      try await store.hear(next, since: .zero, after: store.history ?? known)
      return "restore"
    default:
      guard let item = store.pendingOperations.randomElement(using: &random), let queue = item.queue else {
        return "nothing"
      }
      try await store.waitUntilSaved()
      guard try await store.send(in: queue).contains(where: { $0.operation == item.id }) else { return "nothing" }
      try await server.answer(.rejected("forbidden"), to: item.id, at: revision, to: store, in: queue)
      return "reject"
    }
  }
}
