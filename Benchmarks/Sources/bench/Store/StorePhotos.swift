// The objects of the store's benchmarks: photos of one moment, as a delta brings them.

import ModelSupport
import MomentsModels

enum StorePhotos {
  static let moment = Moment.ID(UUIDValue(high: 0x4000, low: 1 << 63 | 0xB))
  static let user = UserID(UUIDValue(high: 1, low: 1))
  static var queue: QueueID { moment.queueID }

  static func photo(_ number: Int, hidden: Bool = false) -> Photo {
    let word = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    return Photo(
      moment: moment, owner: Member.ID(UUIDValue(high: word, low: 2)),
      file: FileReference(
        hash: ContentHash(words: (word, word ^ 1, word ^ 2, word ^ 3)), size: 3_456_789, mime: "image/jpeg",
        name: "IMG_\(number).jpg"),
      takenAt: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 1_000),
      caption: "The bridge in the morning light, \(number)", hidden: hidden, tags: ["bridge", "morning"],
      place: Photo.Place(latitude: 48.2, longitude: 16.4), likedBy: [user])
  }

  static func states(_ numbers: Range<Int>, revision: Int64, hidden: Bool = false) throws -> [ObjectState] {
    try numbers.map { number in
      let photo = photo(number, hidden: hidden)
      return ObjectState(
        id: photo.id.rawValue, revision: revision,
        live: .init(
          type: Photo.modelName, content: try photo.encoded(), newestBy: photo.newestBy,
          system: SystemFields(createdBy: user, at: .zero)))
    }
  }

  /// A catch-up in one page. `rows` is the digest of all rows afterwards; nil if the page brings all of them.
  static func page(
    _ objects: [ObjectState], cursor: Int64, outcomes: [OperationOutcome] = [], rows: QueueDigest? = nil
  ) -> DeltaPage {
    var page = DeltaPage(grant: grant, role: .owner, head: cursor, cursor: cursor, objects: objects)
    page.end = .init(outcomes: outcomes, retention: .zero, digest: rows ?? QueueDigest(objects))
    return page
  }

  static func applied(_ operations: some Sequence<OperationID>, at cursor: Int64) -> [OperationOutcome] {
    operations.map { OperationOutcome(operation: $0, status: .applied, at: cursor, time: time(cursor)) }
  }

  /// Catch-ups are eight days apart, so the store keeps the retired operations of only one.
  fileprivate static func time(_ cursor: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: cursor * 8 * 24 * 3_600_000)
  }

  private static let grant = GrantID(UUIDValue(high: 0xE, low: 1))

  static func store(in folder: TemporaryFolder) throws -> ModelStore {
    try ModelStore(at: folder.path, schema: MomentsSchema.self, user: user)
  }
}

extension ModelStore {
  /// Takes a page as sync does.
  func receive(_ page: DeltaPage) throws {
    let place = place(of: StorePhotos.queue)
    let asked = page.end?.outcomes.map(\.operation) ?? []
    let question = DeltaQuestion(of: StorePhotos.queue, at: place, awaiting: asked)
    let answer = AnsweredDelta(question, at: StorePhotos.time(page.cursor), .page(page))
    try waiting { _ = try await self.receive([answer]) }
    // With a wrong digest the store would begin a new load instead.
    guard self.place(of: StorePhotos.queue).cursor == page.cursor else { throw NothingThere() }
  }
}

extension UUIDValue {
  /// The 16 bytes, as all measured stores keep them in columns.
  var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }
}
