// Opens links, closes them, and joins by them.

import ModelTypes
public import SyncProtocol
public import WireFormat

extension ModelStore {
  /// Opens a link: `uses` people may join its queue by it, in this role, until `until` by the server's clock.
  ///
  /// This needs the right to take others in. The link works once the server has it, which the handle tells. `uses` is 1 to
  /// 10,000; another number is refused.
  @discardableResult
  public func open(
    _ link: InvitationLink, as role: QueueRole = .writer, uses: Int = 1, until: Timestamp
  ) -> OperationHandle {
    change(link.id, in: link.queue, named: "link.open") {
      guard let uses = Int32(exactly: uses), LinkChange.uses.contains(uses) else {
        throw StoreError(.refused, "A link is for 1 to 10,000 people.")
      }
      return .open(role, uses: uses, until: until)
    }
  }

  /// Closes a link: nobody joins by it any more. Who has joined stays.
  @discardableResult
  public func close(_ link: QueueLink) -> OperationHandle {
    change(link.id, in: link.queue, named: "link.close") { .close }
  }

  /// Joins a queue by a link. Waits for a connection, like all that is performed; then the queue comes.
  ///
  /// If the link is not open any more, the operation fails with `linkEnded`; if its queue is not there, or not yet, with
  /// `revoked`. It may be tried again.
  @discardableResult
  public func join(_ link: InvitationLink) -> OperationHandle {
    submit("link.join") { context in
      try Self.checkHasLinks(link.queue)
      context.put(OperationChanges(join: link.secret), in: link.queue)
    }
  }

  private static func checkHasLinks(_ queue: QueueID) throws {
    guard !queue.rawValue.isVersion4 else { return }
    throw StoreError(.refused, "This queue has no links: its id is not random, so it names who may be in it.")
  }

  private func change(
    _ link: ContentHash, in queue: QueueID, named name: String, _ action: () throws -> LinkChange.Action
  ) -> OperationHandle {
    submit(name) { context in
      try Self.checkHasLinks(queue)
      context.put(OperationChanges(links: [LinkChange(link, try action())]), in: queue)
    }
  }

  /// The open links of a queue, with what this user has just done, sorted by `until`.
  ///
  /// Some may be over already, or have been made by somebody who has left since. Throws a `StoreError` if the store cannot
  /// be read.
  public func links(of queue: QueueID) throws -> [QueueLink] {
    try checkReadable()
    let scan = try reader.scan()
    let pending: [LinkChange]? = try memory.holding {
      try scan.begin()
      return memory.withLock { $0.ledger.isHidden(queue) ? nil : $0.outbox.linkChanges(in: queue) }
    }
    guard let pending else { return [] }
    var links: [ContentHash: QueueLink] = [:]
    try scan.forEachObject(type: LinkRecord.type, in: .queue(queue)) { head, content in
      // Skips an object that cannot be read: a mistake of the server, or of a newer version.
      guard let record = try? LinkRecord(content: [UInt8](content)), let role = record.role else { return }
      links[record.link] = QueueLink(
        id: record.link, queue: queue, role: role, uses: Int(record.uses), until: record.until,
        by: head.system.fields(of: user).createdBy)
    }
    for change in pending {
      switch change.action {
      case .close: links[change.link] = nil
      case .open(let role, let uses, let until) where links[change.link] == nil:
        links[change.link] = QueueLink(
          id: change.link, queue: queue, role: role, uses: Int(uses), until: until, by: user)
      case .open: break
      }
    }
    return links.values.sorted { ($0.until, $0.id) < ($1.until, $1.id) }
  }
}

extension Outbox {
  /// The changes of links by the pending operations of a queue, in order, except those taken back or failed.
  fileprivate func linkChanges(in queue: QueueID) -> [LinkChange] {
    (queues[queue]?.numbers ?? []).compactMap { operations[$0] }.filter(\.isShown).flatMap(\.changes.links)
  }
}
