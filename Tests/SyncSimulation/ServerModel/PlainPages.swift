// The answers to reads: pages of a delta, and the places that a poll tells.

import Crypto

/// The answer of a delta for one queue.
enum PlainPageResult {
  case answered(PlainJSON)
  /// The answer is full, so the queue has to be asked for again.
  case noRoom
}

extension PlainServer {
  func page(_ asked: PlainAsked, for asker: PlainAsker, _ room: inout PlainRoom) -> PlainPageResult {
    let queue = queues[asked.queue]
    if var refusal = refusal(of: asked, by: asker) {
      let known = asked.awaiting.compactMap { id in queue?.outcomes[id].map { (id, $0) } }
      let was = queue?.objects[.member(asker.user, in: asked.queue)] != nil
      refusal.conceal(asked.queue, fromFormer: was || !known.isEmpty)
      let refusal = refusal.json(Dictionary(known) { first, _ in first }, retention: queue?.row.retention)
      return .answered(["queue": .id(asked.queue), "page": .null, "refusal": refusal])
    }
    guard let queue, let member = queue.members[asker.user], let page = room.page(asked, queue, member) else {
      return .noRoom
    }
    return .answered(["queue": .id(asked.queue), "page": page, "refusal": .null])
  }

  /// All queues of the ranges whose sums differ. A world never has too many for one answer.
  func news(_ request: PlainChangedRequest, for asker: PlainAsker) -> PlainNews {
    guard let known = request.sums else { return .nothing }
    var sums = known.map { _ in UInt64(0) }
    var places = known.map { _ in [PlainJSON]() }
    for (id, queue) in queues {
      guard queue.row.schema == asker.schema, let member = queue.members[asker.user] else { continue }
      let range = Int(id.low % 256) % sums.count
      let text = id.bytes + member.grant.bytes + queue.row.head.bigEndianBytes
      sums[range] &+= SHA256.hash(data: text).prefix(8).reduce(0) { $0 * 256 + UInt64($1) }
      places[range].append(["queue": .id(id), "grant": .id(member.grant), "head": .digits(queue.row.head)])
    }
    let ranges = sums.indices.filter { sums[$0] != known[$0] }
    return PlainNews(
      isNothing: ranges.isEmpty,
      answer: [
        "ranges": .array(ranges.map { .number(Int64($0)) }), "places": .anyOrder(ranges.flatMap { places[$0] }),
      ])
  }
}

/// The answer to a poll, without the time.
struct PlainNews {
  var isNothing: Bool
  var answer: PlainJSON

  static var nothing: Self { Self(isNothing: true, answer: ["ranges": .array([]), "places": .array([])]) }
}

/// The room that is left in the answer to a delta.
struct PlainRoom {
  private var objects: Int
  private let allBytes: Int
  private var bytes: Int
  /// What the client has named: an object takes its content in base64 and 256 bytes more.
  private var named: Int64
  private var outcomes = 10_000
  /// Whether nothing has been answered yet. The first queue is answered with its first object, however large that is.
  private var isFresh = true

  /// Whether the last page ended because its bytes did.
  private(set) var isOutOfBytes = false
  /// Whether an object had more bytes than a whole page may have.
  private(set) var hasTooLarge = false

  init(limit: Int64?, named: Int64?, bytes: Int) {
    self.named = named ?? .max
    objects = Int(min(limit ?? 10_000, 10_000))
    (allBytes, self.bytes) = (bytes, bytes)
  }

  /// A page of one queue; nil if nothing of it has room.
  fileprivate mutating func page(_ asked: PlainAsked, _ queue: PlainQueue, _ member: PlainMember) -> PlainJSON? {
    guard isFresh || asked.awaiting.count <= outcomes else { return nil }
    let isScan = asked.cursor == nil || asked.scan != nil
    let (taken, isFull) =
      isScan
      ? take(queue.scanned(behind: asked.scan, upTo: asked.cursor), queue)
      : take(queue.changed(after: asked.cursor ?? 0), queue)
    if isFull && taken.isEmpty { return nil }
    isFresh = false
    let row = queue.row
    var (cursor, scan) = (asked.cursor ?? row.head, PlainJSON.null)
    if isScan {
      if isFull, let id = taken.last, let live = queue.objects[id]?.live {
        scan = ["newestBy": .digits(live.newestBy ?? .min), "id": .id(id)]
      }
    } else {
      cursor = isFull ? taken.last.flatMap { queue.objects[$0]?.revision } ?? cursor : row.head
    }
    let isLast = scan.isNull && cursor == row.head
    if isLast { outcomes -= min(outcomes, asked.awaiting.count) }
    return [
      "grant": .id(member.grant), "role": .words(member.role.name), "head": .digits(row.head),
      "cursor": .digits(cursor), "scan": scan,
      "objects": .array(taken.compactMap { id in queue.objects[id]?.json(of: id) }),
      "end": isLast ? queue.end(asked.awaiting) : .null,
    ]
  }

  private mutating func take(_ ids: some Sequence<PlainID>, _ queue: PlainQueue) -> (taken: [PlainID], isFull: Bool) {
    var taken: [PlainID] = []
    for id in ids {
      guard take(queue.objects[id]?.live?.content.count ?? 0) else { return (taken, true) }
      taken.append(id)
    }
    return (taken, false)
  }

  private mutating func take(_ size: Int) -> Bool {
    let whole = Int64((size + 2) / 3 * 4 + 256)
    isOutOfBytes = !isFresh && objects > 0 && (size > bytes || whole > named)
    guard isFresh || objects > 0 && size <= bytes && whole <= named else { return false }
    if size > allBytes { hasTooLarge = true }
    isFresh = false
    objects -= 1
    bytes -= min(bytes, size)
    named = max(named - whole, 0)
    return true
  }
}

extension PlainQueue {
  /// Live objects behind a place that have not changed since the scan began, in the order of a scan.
  fileprivate func scanned(behind place: PlainPlace?, upTo cursor: Int64?) -> some Sequence<PlainID> {
    let start = place.map { place in scan.firstIndex(sorted: { place.isBefore($0) }) } ?? 0
    return scan[start...].lazy.map(\.id).filter { (objects[$0]?.revision ?? 0) <= cursor ?? .max }
  }

  /// Objects with a revision above the cursor, ascending, each once.
  fileprivate func changed(after cursor: Int64) -> some Sequence<PlainID> {
    let start = log.firstIndex(sorted: { $0.revision > cursor })
    return log[start...].lazy.filter { objects[$0.object]?.revision == $0.revision }.map(\.object)
  }

  fileprivate func end(_ awaiting: [PlainID]) -> PlainJSON {
    [
      "outcomes": .anyOrder(Set(awaiting).compactMap { id in outcomes[id]?.json(of: id) }),
      "retention": .digits(row.retention),
      "digest": ["live": .digits(row.digest.live), "sum": .digits(row.digest.sum)],
    ]
  }
}

extension PlainObject {
  fileprivate func json(of id: PlainID) -> PlainJSON {
    [
      "id": .id(id), "revision": .digits(revision),
      "live": live.map { live in
        [
          "type": .words(live.type), "content": .base64(live.content), "newestBy": .digits(live.newestBy),
          "createdBy": .id(live.createdBy), "createdAt": .digits(live.createdAt), "updatedAt": .digits(live.updatedAt),
        ]
      } ?? .null,
    ]
  }
}

extension PlainOutcome {
  func json(of operation: PlainID) -> PlainJSON {
    let (name, code): (String, String?) =
      switch status {
      case .applied: ("APPLIED", nil)
      case .noEffect: ("NO_EFFECT", nil)
      case .voided: ("VOIDED", nil)
      case .unknown: ("UNKNOWN", nil)
      case .rejected(let code): ("REJECTED", code)
      }
    return [
      "operation": .id(operation), "status": .words(name), "code": code.map { .words($0) } ?? .null, "at": .digits(at),
      "time": .digits(time), "attempt": .number(attempt),
    ]
  }
}

extension PlainRefusal {
  /// A queue with an identity is concealed from all who never were in it.
  mutating func conceal(_ queue: PlainID, fromFormer isFormer: Bool) {
    if case .revoked = self, queue.isOfIdentity, !isFormer { self = .concealed }
  }

  /// `outcomes` and `retention` are for users who are no members, who learn nothing else.
  func json(_ outcomes: [PlainID: PlainOutcome], retention: Int64?) -> PlainJSON {
    switch self {
    case .noQueue: Self.json("NO_QUEUE")
    case .ended: Self.json("ENDED", outcomes: .anyOrder(outcomes.map { $1.json(of: $0) }), retention)
    case .revoked: Self.json("REVOKED", outcomes: .anyOrder(outcomes.map { $1.json(of: $0) }), retention)
    case .concealed: Self.json("REVOKED", outcomes: .anyOrder([]), 0)
    case .stale(let grant): Self.json("STALE", grant)
    case .reset(let grant): Self.json("RESET", grant)
    }
  }

  private static func json(
    _ reason: String, _ grant: PlainID? = nil, outcomes: PlainJSON = .null, _ retention: Int64? = nil
  ) -> PlainJSON {
    ["reason": .words(reason), "grant": .id(grant), "outcomes": outcomes, "retention": .digits(retention)]
  }
}
