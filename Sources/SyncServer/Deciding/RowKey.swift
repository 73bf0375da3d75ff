// The rows that decisions read, by their keys, and the rows that they write.

package import SyncProtocol
package import WireFormat

/// The key of a row, or of a stored sum, that a decision about one queue reads. Keys without a queue are of that one.
package enum RowKey: Hashable, Sendable {
  case queue
  case membership(of: UserID, in: QueueID)
  /// All members: at most `ProtocolLimits.members`.
  case members
  /// Whether the user was a member of the queue when it ended.
  case wasMember(UserID)
  /// An object, live or deleted.
  case object(UUIDValue)
  /// How many references to files an object has, but no more than `ProtocolLimits.fileReferences` and one.
  case references(from: UUIDValue)
  case outcome(OperationID)
  /// Whether a file is complete.
  case file(ContentHash)
  /// Whether a duty is still to be done.
  case duty(HomeDuty)
  /// The objects of the queue, deleted ones too, and the bytes of their contents.
  case usage
  /// The live objects that a user has created, in all queues, with the bytes of their contents, and the outcomes of the
  /// user's operations.
  case usageBy(UserID)
  /// In how many queues a user is.
  case queueCount(of: UserID)
  /// Whether both users are members of some queue. Looks at no more than 1,000 queues of the second one.
  case sharing(UserID, UserID)
  /// What a user has given others on a day, or on a later one. Days count from 1970.
  case invitations(by: UserID, day: Int64)
  case page(ObjectRange)
}

/// Objects of a queue from a place on, for one page.
package struct ObjectRange: Hashable, Sendable {
  package enum Start: Hashable, Sendable {
    /// Objects with a higher revision, deleted ones too, ascending.
    case changes(after: Int64)
    /// Live objects behind a place, the largest `newestBy` and id first, with revisions up to this one; nil for all.
    case live(behind: ScanCursor?, upTo: Int64?)
  }

  package var start: Start
  /// The most objects.
  package var rows: Int
  /// The most bytes of their contents. A larger first object comes all the same, with what takes no bytes behind it.
  package var bytes: Int
  /// If the user is no member of the queue, the page is empty. Nil for a page that everybody is given.
  package var member: UserID?

  package init(_ start: Start, rows: Int, bytes: Int = .max, for member: UserID? = nil) {
    (self.start, self.rows, self.bytes, self.member) = (start, rows, bytes, member)
  }
}

/// The first objects of an `ObjectRange`.
package struct ObjectPage: Sendable {
  package var objects: [ObjectState]
  /// Whether no object is behind them.
  package var isLast: Bool

  package init(_ objects: [ObjectState] = [], isLast: Bool = true) { (self.objects, self.isLast) = (objects, isLast) }
}

/// What is stored under a `RowKey`.
package enum RowValue: Sendable {
  case queue(StoredQueue?)
  case membership(StoredMembership?)
  case members([UserID: StoredMembership])
  case object(ObjectState?)
  case outcome(OperationOutcome?)
  case isThere(Bool)
  case count(Int)
  case usage(StoredUsage)
  case queueCount(QueueCount)
  case invitations(Invitations)
  case page(ObjectPage)
}

/// What a decision about one queue writes, in this order. All of it is durable together.
package enum RowWrite: Sendable {
  case queue(StoredQueue)
  case object(ObjectState)
  /// Replaces the outcome of an earlier attempt. That stays counted for its user.
  case outcome(OperationOutcome, of: UserID)
  /// Nil ends the membership. After the transaction `SyncService.endTransfers` must be called.
  case membership(StoredMembership?, of: UserID)
  case invitations(Invitations, by: UserID, day: Int64)
  /// Removes the members and marks of a queue that ends, and remembers who was a member. Its outcomes stay; its files
  /// go with the next upkeep. After the transaction `SyncService.endTransfers` must be called.
  case noMembers
  /// Records that an object names files, which keeps them. `tag` is that of the field, or 0 if an operation has waited
  /// for the files. The records go with the object.
  case references(to: [ContentHash], from: UUIDValue, tag: Int)
  /// Removes the records of the files that an object names under a tag.
  case noReferences(from: UUIDValue, tag: Int)
  /// A user's home queue has to show a changed membership.
  case duty(HomeDuty)
  case dutyDone(HomeDuty)
  /// How much more, or less, the queue takes since this decision. A storage that counts by itself does not need it.
  case usage(StoredUsage)
  /// How much more, or less, a user takes in this queue.
  case usageBy(UserID, StoredUsage)
}
