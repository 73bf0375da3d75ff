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

  /// The next page of a queue, from the place of the request on; nil if there is no room for any of it.
  mutating func page(
    _ request: DeltaRequest.Queue, _ queue: StoredQueue, _ membership: StoredMembership, _ snapshot: any QueueSnapshot
  ) throws -> DeltaPage? {
    guard isUntouched || request.awaiting.count <= outcomes else { return nil }
    let isScan = request.cursor == nil || request.scan != nil
    var page = DeltaPage(
      grant: membership.grant, role: membership.role, head: queue.head, cursor: request.cursor ?? queue.head,
      objects: [])
    var last: ObjectState?
    var isFull = false
    let visit = { (object: ObjectState) -> Bool in
      // What has changed since the scan began comes with the deltas behind it.
      if isScan && object.revision > page.cursor { return true }
      guard take(object) else {
        isFull = true
        return false
      }
      if types.map({ object.live.map { $0.type }.map($0.contains) ?? true }) ?? true { page.objects.append(object) }
      last = object
      return true
    }
    if isScan {
      try snapshot.forEachLive(in: request.queue, behind: request.scan, visit)
    } else {
      try snapshot.forEachChange(in: request.queue, after: page.cursor, visit)
    }
    if isFull && last == nil { return nil }
    if isScan {
      page.scan = isFull ? last.map { ScanCursor(newestBy: $0.live?.newestBy, id: $0.id) } : nil
    } else {
      page.cursor = isFull ? last?.revision ?? page.cursor : queue.head
    }
    if page.scan == nil && page.cursor == queue.head {
      page.end = DeltaPage.End(
        outcomes: try snapshot.outcomes(of: request.awaiting, in: request.queue), retention: queue.retention,
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
