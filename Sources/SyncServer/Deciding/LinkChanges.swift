// Checks the changes that a mutation makes to the links by which people join a queue; writes nothing.

import SyncProtocol
import WireFormat

struct LinkChanges {
  /// The links that the mutation opens or closes, in its order.
  private(set) var changed: [Changed] = []

  /// The content of a link has about so many bytes.
  static let bytes: Int64 = 50

  struct Changed {
    var object: UUIDValue
    /// Nil for a link that is closed.
    var record: LinkRecord?
  }

  /// `role` is that of the sender after the mutation's changes of members; nil if they have taken the sender out. Throws
  /// a rejection if one of the changes may not be made.
  init(
    _ changes: [LinkChange], as role: QueueRole?, isFounder: Bool, _ access: AccessTable, _ work: UnitOfWork
  ) throws(Rejection) {
    guard !changes.isEmpty else { return }
    let (queue, root) = (work.queueID, try Rejection.reading { try work.object(work.queueID.root)?.live })
    let rights = root.map { access[$0.type].members } ?? MemberAccess()
    // A link to a queue with an identity would tell who has one.
    guard let role, queue.rawValue.isVersion4 else { throw .code(RejectionCode.forbidden) }
    var isOpen: [UUIDValue: Bool] = [:]
    for change in changes {
      guard rights.allows(change, as: role, isFounder: isFounder) else { throw .code(RejectionCode.forbidden) }
      let object = SyncID.link(change.link, inQueue: queue)
      let stored = try Rejection.reading { try work.object(object)?.live }
      // Nothing else has such an id, unless somebody has looked for one among 2^59 links.
      if let stored, stored.type != LinkRecord.type { continue }
      let wasOpen = isOpen[object] ?? (stored != nil)
      var record: LinkRecord?
      if case .open(let role, let uses, let until) = change.action {
        record = LinkRecord(change.link, role: role, uses: uses, until: until)
      }
      isOpen[object] = record != nil
      if wasOpen != (record != nil) { changed.append(Changed(object: object, record: record)) }
    }
  }
}

extension ObjectState.Live {
  /// The object of a link, made by a user.
  init(_ link: LinkRecord, by user: UserID, at time: Timestamp) throws {
    // No number, so that a first load brings the content before the links.
    self.init(
      type: LinkRecord.type, content: try link.encoded(), newestBy: nil, system: SystemFields(createdBy: user, at: time)
    )
  }
}
