// Everything that one operation does, as a value and as bytes.

package import WireFormat

/// The changes of one operation, which happen together or not at all (docs/formats/operation-format.md).
package struct OperationChanges: Hashable, Sendable {
  /// At most one for each object. All of them see the state before the operation.
  package var objects: [ObjectChange]
  /// Changes of the queue's members, made one after the other.
  package var members: [MemberChange]
  /// Files that must have reached the server before the operation is applied.
  package var files: [ContentHash]
  /// Changes of the links by which people join the queue, made one after the other.
  package var links: [LinkChange]
  /// The link by which the user joins the queue; then nothing else is here.
  package var join: LinkSecret?

  /// 1 MiB: the most that a server accepts for one operation.
  package static let maximumBytes = 1 << 20

  package init(
    objects: [ObjectChange] = [], members: [MemberChange] = [], files: [ContentHash] = [], links: [LinkChange] = [],
    join: LinkSecret? = nil
  ) {
    self.objects = objects
    self.members = members
    self.files = files
    self.links = links
    self.join = join
  }

  /// Whether the operation changes nothing and waits for nothing.
  package var isEmpty: Bool {
    objects.isEmpty && members.isEmpty && files.isEmpty && links.isEmpty && join == nil
  }

  /// Whether it says something of who is in the queue, or may come.
  package var isAboutMembers: Bool { !members.isEmpty || !links.isEmpty || join != nil }

  /// The ids of the objects on which operations keep their order.
  ///
  /// These are the objects that this operation changes. All members and links of its queue count as one object with the
  /// id zero.
  package var orderedObjects: [UUIDValue] { objects.map(\.object) + (isAboutMembers ? [.zero] : []) }

  /// The files that fields of the changed objects name. The operation does not wait for them.
  package var namedFiles: Set<ContentHash> { Set(objects.flatMap(\.files).flatMap(\.hashes)) }

  /// The canonical bytes. Throws `tooLarge` above `maximumBytes`.
  package func encoded() throws(WireError) -> [UInt8] {
    let bytes = try ChangesMessage(self).encoded()
    guard bytes.count <= Self.maximumBytes else { throw WireError(.tooLarge, at: Self.maximumBytes) }
    return bytes
  }

  /// Reads the changes from their bytes.
  ///
  /// Throws `invalidPatch` if a change is not one that the format allows or an object is named twice, `tooLarge` above
  /// `maximumBytes`, and the errors of reading if the bytes are no message.
  package init(bytes: [UInt8]) throws(WireError) {
    guard bytes.count <= Self.maximumBytes else { throw WireError(.tooLarge, at: Self.maximumBytes) }
    var message = ChangesMessage()
    try message.merge(bytes)
    self.init(files: message.files)
    var seen = Set<UUIDValue>()
    for change in message.objects {
      guard seen.insert(change.object).inserted else { throw WireError(.invalidPatch, at: 0) }
      objects.append(try change.value())
    }
    for change in message.members { members.append(try change.value()) }
    for change in message.links { links.append(try change.value()) }
    guard let secret = message.join else { return }
    guard isEmpty else { throw WireError(.invalidPatch, at: 0) }
    join = LinkSecret(secret)
  }
}

/// The encoded form of `OperationChanges`.
private struct ChangesMessage: WireMessage {
  var objects: [ChangeMessage] = []
  var members: [MemberChangeMessage] = []
  var files: [ContentHash] = []
  var links: [LinkChangeMessage] = []
  var join: UUIDValue?
  var unknownFields = UnknownFields.none

  init() {}

  init(_ changes: OperationChanges) {
    objects = changes.objects.map(ChangeMessage.init)
    members = changes.members.map(MemberChangeMessage.init)
    files = changes.files
    links = changes.links.map(LinkChangeMessage.init)
    join = changes.join?.value
  }

  static let fieldTable = FieldTable(
    "changes", unknownFields: \Self.unknownFields,
    Field(1, "objects", \Self.objects), Field(2, "members", \Self.members), Field(4, "files", \Self.files),
    Field(5, "links", \Self.links), Field(6, "join", \Self.join))
}

/// The encoded form of an `ObjectChange`.
private struct ChangeMessage: WireStruct {
  var object = UUIDValue.zero
  var create: String?
  var patch: [UInt8]?
  var delete: Bool?
  var reviving: Bool?
  var newestBy: UInt64?
  var content: ContentHash?
  var absent: Bool?
  var seen: SeenMessage?
  var files: [FileFieldMessage] = []
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }

  static let fieldTable = FieldTable(
    "change", unknownFields: \Self.unknownFields,
    Field(1, "object", \Self.object), Field(2, "create", \Self.create), Field(3, "patch", \Self.patch),
    Field(4, "delete", \Self.delete), Field(5, "reviving", \Self.reviving), Field(6, "newestBy", \Self.newestBy),
    Field(7, "content", \Self.content), Field(8, "absent", \Self.absent),
    Field(9, "seen", \Self.seen), Field(10, "files", \Self.files))
}

extension ChangeMessage {
  init(_ change: ObjectChange) {
    self.init()
    object = change.object
    newestBy = change.newestBy.map(Zigzag.encode)
    files = change.files.map(FileFieldMessage.init)
    switch change.action {
    case .create(let type, let patch, let revival):
      self.create = type
      self.patch = patch.bytes
      reviving = revival.isReviving ? true : nil
      seen = revival.seen.map(SeenMessage.init)
    case .patch(let patch): self.patch = patch.bytes
    case .delete: self.delete = true
    }
    switch change.condition {
    case .content(let hash)?: content = hash
    case .absent?: self.absent = true
    case nil: break
    }
  }

  func value() throws(WireError) -> ObjectChange {
    guard unknownFields.isEmpty, delete != false, reviving != false, absent != false,
      content == nil || absent == nil, create != nil || reviving == nil && seen == nil,
      delete == nil || files.isEmpty
    else { throw WireError(.invalidPatch, at: 0) }
    let condition = content.map(ObjectChange.Condition.content) ?? (absent == true ? .absent : nil)
    return ObjectChange(
      object, try action(), newestBy: newestBy.map(Zigzag.decode), condition: condition, files: try files.values())
  }

  private func action() throws(WireError) -> ObjectChange.Action {
    switch (create, patch, delete) {
    case (let type?, let patch, nil):
      let revival = Revival(seen: try seen?.value(), isReviving: reviving == true)
      return .create(type: type, try Patch(bytes: patch ?? []), revival)
    case (nil, let patch?, nil):
      let patch = try Patch(bytes: patch)
      guard !patch.fills else { throw WireError(.invalidPatch, at: 0) }
      return .patch(patch)
    case (nil, nil, true?):
      return .delete
    default:
      throw WireError(.invalidPatch, at: 0)
    }
  }
}
