// Says which holder of rights the sender of a change is.

package import WireFormat

/// The relation of a change's sender to the object that it changes.
package struct AccessStanding {
  private let user: UserID
  private let role: QueueRole
  let queue: QueueID
  let object: UUIDValue
  /// The object's content, in which fields name their users; nil if there is no object.
  var content: [UInt8]?
  var isCreator: Bool

  /// `content` and `creator` are those of the object before the change; nil if there is no object.
  package init(
    of user: UserID, as role: QueueRole, to object: UUIDValue, in queue: QueueID, content: [UInt8]? = nil,
    creator: UserID? = nil
  ) {
    self.user = user
    self.role = role
    self.object = object
    self.queue = queue
    self.content = content
    isCreator = content != nil && creator == user
  }

  var isThere: Bool { content != nil }
  /// Whether the object is the root, which has the queue's id.
  var isRoot: Bool { object == queue.root }

  /// Whether the sender is one of the holders.
  package func holds(_ right: [AccessHolder]) -> Bool {
    right.contains { holder in
      switch holder {
      case .owner: role == .owner
      case .writer: role.covers(.writer)
      case .reader: true
      case .creator: isCreator
      case .user(let tag, let least, let identity): role.covers(least) && isNamed(in: tag, as: identity)
      }
    }
  }

  /// A field that stands in the content more than once names nobody, because readers could take it for different users.
  private func isNamed(in tag: Int, as identity: UserIdentity?) -> Bool {
    guard let content else { return false }
    return content.withUnsafeBytes { bytes in
      guard let record = bytes.onlyRecord(of: tag), record.wireType == .length else { return false }
      let name = identity?.id(of: user, in: queue) ?? user.rawValue
      return bytes[record.value].elementsEqual(name.bytes)
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
