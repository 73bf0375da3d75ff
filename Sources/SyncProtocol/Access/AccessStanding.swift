// Says which holder of rights the sender of a change is.

package import WireFormat

/// The relation of a change's sender to the object that it changes.
package struct AccessStanding {
  private let user: UserID
  private let role: QueueRole
  let queue: QueueID
  /// The name of the schema of the queue.
  let schema: String
  let object: UUIDValue
  let isThere: Bool
  private var isCreator: Bool
  /// The holders that name their user in a field, and name the sender. Looked up once: a change may ask for thousands
  /// of fields, and its object may have as many.
  private var named: Set<AccessHolder>

  /// `content` and `creator` are those of the object before the change; nil if there is no object.
  package init(
    of user: UserID, as role: QueueRole, to object: UUIDValue, in queue: QueueID, of schema: String,
    under access: ObjectAccess, content: [UInt8]? = nil, creator: UserID? = nil
  ) {
    self.user = user
    self.role = role
    self.object = object
    (self.queue, self.schema) = (queue, schema)
    isThere = content != nil
    isCreator = content != nil && creator == user
    named = []
    if let content { named = names(access, in: content) }
  }

  /// Whether the object is the root, which has the queue's id.
  var isRoot: Bool { object == queue.root }

  /// Whether the sender is one of the holders.
  package func holds(_ right: [AccessHolder]) -> Bool {
    right.contains { $0.isHeld(as: role, isCreator: isCreator) ?? named.contains($0) }
  }

  /// The sender's standing to an object with this content that the sender has just created.
  func making(_ content: [UInt8], under access: ObjectAccess) -> Self {
    var maker = self
    maker.isCreator = true
    maker.named = names(access, in: content)
    return maker
  }

  private func names(_ access: ObjectAccess, in content: [UInt8]) -> Set<AccessHolder> {
    access.userHolders.filter { holder in
      guard case .user(let tag, let least, let identity) = holder, role.covers(least) else { return false }
      return isNamed(in: tag, as: identity, content)
    }
  }

  /// A field that stands in the content more than once names nobody, because readers could take it for different users.
  private func isNamed(in tag: Int, as identity: UserIdentity?, _ content: [UInt8]) -> Bool {
    content.withUnsafeBytes { bytes in
      guard let record = bytes.onlyRecord(of: tag), record.wireType == .length else { return false }
      let name = identity?.id(of: user, in: queue) ?? user.rawValue
      return bytes[record.value].elementsEqual(name.bytes)
    }
  }
}

extension AccessHolder {
  /// Whether a member with this role is this holder; nil for a holder whom a field names.
  func isHeld(as role: QueueRole, isCreator: Bool) -> Bool? {
    switch self {
    case .owner: role == .owner
    case .writer: role.covers(.writer)
    case .reader: true
    case .creator: isCreator
    case .user: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The record with this tag in a message, or in the part of one; nil if there is none or more than one.
  func onlyRecord(of tag: Int, in part: Range<Int>? = nil) -> Record? {
    var reader = RecordReader(self, in: part ?? 0..<count)
    var found: Record?
    while let record = try? reader.next() {
      guard record.tag == tag else { continue }
      guard found == nil else { return nil }
      found = record
    }
    return found
  }
}
