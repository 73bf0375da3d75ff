// Fills the pages of a delta.

import SyncProtocol
import WireFormat

/// How many more objects, bytes and outcomes an answer may hold.
struct PageBudget: Sendable {
  private var objects: Int
  private var bytes: Int
  /// The bytes of objects in the answer.
  private var answerBytes: Int
  private var outcomes = ProtocolLimits.awaiting
  private let types: Set<String>?
  /// Whether nothing was taken yet. The first queue and the first object are always answered.
  private var isUntouched = true

  init(objects: Int?, bytes: Int, answerBytes: Int = .max, types: Set<String>? = nil) {
    (self.bytes, self.answerBytes) = (bytes, answerBytes)
    self.objects = min(objects ?? ProtocolLimits.pageObjects, ProtocolLimits.pageObjects)
    self.types = types
  }

  /// The objects that there is room for, from the place of the request on, for a member.
  func range(of request: DeltaRequest.Queue, for member: UserID) -> ObjectRange {
    let start: ObjectRange.Start =
      if let cursor = request.cursor, request.scan == nil {
        .changes(after: cursor)
      } else {
        // What has changed since the scan began comes with the deltas behind it.
        .live(behind: request.scan, upTo: request.cursor)
      }
    return ObjectRange(start, rows: isUntouched ? max(objects, 1) : objects, bytes: bytes, for: member)
  }

  /// The next page of a queue, from the place of the request on; nil if there is no room for any of it.
  mutating func page(
    _ request: DeltaRequest.Queue, _ queue: StoredQueue, _ membership: StoredMembership, _ asker: Asker,
    _ work: UnitOfWork
  ) throws -> DeltaPage? {
    guard isUntouched || request.awaiting.count <= outcomes else { return nil }
    let isScan = request.cursor == nil || request.scan != nil
    var page = DeltaPage(
      grant: membership.grant, role: membership.role, head: queue.head, cursor: request.cursor ?? queue.head,
      objects: [])
    let stored = try work.page(range(of: request, for: asker.user))
    let taken = stored.objects.prefix { take($0) }
    let last = taken.last
    let isFull = !stored.isLast || taken.count < stored.objects.count
    if isFull && last == nil { return nil }
    page.objects = taken.filter { object in
      types.map { types in object.live.map { types.contains($0.type) } ?? true } ?? true
    }
    if isScan {
      page.scan = isFull ? last.map { ScanCursor(newestBy: $0.live?.newestBy, id: $0.id) } : nil
    } else {
      page.cursor = isFull ? last?.revision ?? page.cursor : queue.head
    }
    if page.scan == nil && page.cursor == queue.head {
      page.end = DeltaPage.End(
        outcomes: try request.awaiting.compactMap { try work.outcome(of: $0) }, retention: queue.retention,
        digest: queue.digest)
      outcomes -= min(outcomes, request.awaiting.count)
    }
    isUntouched = false
    return page
  }

  private mutating func take(_ object: ObjectState) -> Bool {
    let size = object.live?.content.count ?? 0
    let sizeInAnswer = ProtocolLimits.answerBytes(ofContent: size)
    guard isUntouched || objects > 0 && size <= bytes && sizeInAnswer <= answerBytes else { return false }
    isUntouched = false
    objects -= 1
    bytes -= min(bytes, size)
    answerBytes -= min(answerBytes, sizeInAnswer)
    return true
  }
}
