// What the identity of an object proves: its id, and for the root of a queue also who may make it.

package import WireFormat

extension ObjectAccess {
  /// Whether a create of the root proves the user, who then may found the queue or join it: what it makes gives the
  /// queue's id, and names the user (docs/formats/sync-protocol.md, "Ids").
  package func proves(_ user: UserID, by change: ObjectChange, rootOf queue: QueueID, of schema: String) -> Bool {
    guard queue.isDerived, change.object == queue.root, case .create(let type, let patch, _) = change.action,
      let content = try? patch.merged(into: []),
      let identity = identityRecords(of: type, content, isRoot: true)
    else { return false }
    return SyncID.queue(ofSchema: schema, identity: identity.bytes) == queue && identity.names(user, in: users)
  }

  /// Whether the id of a new object is the one that its content gives, and no derived one if it gives none. So nothing
  /// of another type takes its place.
  func isProven(_ change: ObjectChange, _ type: String, _ content: [UInt8], to sender: AccessStanding) -> Bool {
    let (id, queue) = (change.object, sender.queue)
    if sender.isRoot, !queue.isDerived { return true }
    guard let identity else { return !sender.isRoot }
    if identity.isEmpty { return !id.isDerived }
    guard let records = identityRecords(of: type, content, isRoot: sender.isRoot) else { return false }
    return sender.isRoot
      ? queue == SyncID.queue(ofSchema: sender.schema, identity: records.bytes)
      : id == .derived(in: queue, identity: records.bytes)
  }

  /// The records of the model and its identity, as they stand in content; nil if one is not there once. In a root it may
  /// be a set, whose elements are there each once, in order.
  private func identityRecords(of type: String, _ content: [UInt8], isRoot: Bool) -> IdentityRecords? {
    guard let identity, !identity.isEmpty else { return nil }
    var records = IdentityRecords(of: type)
    let isWhole = content.withUnsafeBytes { bytes in
      identity.allSatisfy { path in
        isRoot && path.count == 1
          ? records.copySet(of: path[0], in: bytes) : records.copyValue(at: path, in: bytes)
      }
    }
    return isWhole ? records : nil
  }
}

/// The name of a model and the values of an identity, of which ids are made.
private struct IdentityRecords {
  private var writer = RecordWriter(capacity: 128)
  /// The values that are as long as an id, with the tags of their fields.
  private var ids: [Int: Set<[UInt8]>] = [:]

  init(of type: String) { writer.string(1, type) }

  var bytes: [UInt8] { writer.bytes }

  /// Whether a field with one of these tags has the user.
  func names(_ user: UserID, in tags: [Int]) -> Bool {
    tags.contains { ids[$0]?.contains(user.rawValue.bytes) == true }
  }

  /// Adds the value at a path, under the first tag of the path. False if it is not there exactly once.
  mutating func copyValue(at path: [Int], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let tag = path.first, var found = bytes.onlyRecord(of: tag) else { return false }
    for tag in path.dropFirst() {
      guard found.wireType == .length, let inner = bytes.onlyRecord(of: tag, in: found.value) else { return false }
      found = inner
    }
    return add(found, as: tag, of: bytes)
  }

  /// Adds all values with a tag. False if there is none, or if they do not ascend, as the elements of a set do.
  mutating func copySet(of tag: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = RecordReader(bytes, in: 0..<bytes.count)
    var last: UnsafeRawBufferPointer.SubSequence?
    while let record = try? reader.next() {
      guard record.tag == tag else { continue }
      let value = bytes[record.value]
      if let last, !last.lexicographicallyPrecedes(value) { return false }
      guard add(record, as: tag, of: bytes) else { return false }
      last = value
    }
    return last != nil
  }

  private mutating func add(_ record: Record, as tag: Int, of bytes: UnsafeRawBufferPointer) -> Bool {
    let value = bytes[record.value]
    switch record.wireType {
    case .length:
      writer.length(tag, value)
      if value.count == 16 { ids[tag, default: []].insert(Array(value)) }
    case .varint: writer.varint(tag, RecordReader(bytes, in: record.value).number(record))
    case .fixed32, .fixed64: return false  // No identity has such a value.
    }
    return true
  }
}
