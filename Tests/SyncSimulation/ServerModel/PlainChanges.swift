// The changes of an operation, read from its bytes. docs/formats/operation-format.md.

struct PlainChanges {
  var objects: [PlainChange] = []
  /// Applied one after the other.
  var members: [PlainMemberChange] = []
  /// Hashes, 32 bytes each.
  var files: [[UInt8]] = []
  /// Applied one after the other.
  var links: [PlainLinkChange] = []
  /// The secret of the link by which the sender joins; then nothing else is here.
  var join: PlainID?

  /// Whether they are about the members of the queue, those to come included.
  var isAboutMembers: Bool { !members.isEmpty || !links.isEmpty || join != nil }

  /// Throws where the bytes are no changes; nothing of them is done then.
  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    var last: UInt64 = 0
    for record in try bytes.records() {
      guard record.tag >= last else { throw PlainMalformed() }
      last = record.tag
      switch record.tag {
      case 1: objects.append(try PlainChange(try record.bytes()))
      case 2: members.append(try PlainMemberChange(try record.bytes()))
      case 4:
        guard try record.bytes().count == 32 else { throw PlainMalformed() }
        files.append(record.value)
      case 5: links.append(try PlainLinkChange(try record.bytes()))
      case 6:
        guard objects.isEmpty, members.isEmpty, files.isEmpty, links.isEmpty else { throw PlainMalformed() }
        join = try record.id()
      default: throw PlainMalformed()
      }
    }
    guard Set(objects.map(\.object)).count == objects.count else { throw PlainMalformed() }
  }
}

/// A change of one member.
struct PlainMemberChange {
  var user = PlainID.zero
  var action: Action

  enum Action {
    case follow(PlainRole)
    case role(PlainRole)
    case unfollow
  }

  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    var records = try bytes.records()
    if records.first?.tag == 1 { user = try records.removeFirst().id() }
    guard records.count == 1 else { throw PlainMalformed() }
    let (tag, number) = (records[0].tag, try records[0].number())
    switch (tag, PlainRole(rawValue: number)) {
    case (2, let role?): action = .follow(role)
    case (3, let role?): action = .role(role)
    case (4, _) where number == 1: action = .unfollow
    default: throw PlainMalformed()
    }
  }
}

enum PlainRole: UInt64 {
  case owner = 1
  case writer = 2
  case reader = 3

  /// The name in messages.
  var name: String {
    switch self {
    case .owner: "OWNER"
    case .writer: "WRITER"
    case .reader: "READER"
    }
  }
}

/// A change of one object.
struct PlainChange {
  var object = PlainID.zero
  var action = Action.delete
  /// Condition: the object is live, with a content of this SHA-256.
  var content: [UInt8]?
  /// Condition: the object is not live.
  var mustBeAbsent = false
  var newestBy: Int64?
  /// The files that fields name, by their tags.
  var files: [PlainFileField] = []

  enum Action {
    case create(type: String, PlainPatch, PlainRevival)
    case patch(PlainPatch)
    case delete
  }

  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    var (type, patch, isDelete): (String?, PlainPatch?, Bool) = (nil, nil, false)
    var revival = PlainRevival()
    var last: UInt64 = 0
    for record in try bytes.records() {
      guard record.tag > last || record.tag == 10 && last == 10 else { throw PlainMalformed() }
      last = record.tag
      switch record.tag {
      case 1: object = try record.id()
      case 2: type = String(decoding: try record.bytes(), as: UTF8.self)
      case 3: patch = try PlainPatch(try record.bytes())
      case 4: isDelete = try record.number() != 0
      case 5: revival.isReviving = try record.number() != 0
      case 6: newestBy = Int64(zigzag: try record.number())
      case 7:
        guard try record.bytes().count == 32 else { throw PlainMalformed() }
        content = record.value
      case 8: mustBeAbsent = try record.number() != 0
      case 9: revival.seen = try PlainSeen(try record.bytes())
      case 10:
        let field = try PlainFileField(try record.bytes())
        guard files.allSatisfy({ $0.tag < field.tag }) else { throw PlainMalformed() }
        files.append(field)
      default: throw PlainMalformed()
      }
    }
    switch (type, patch, isDelete) {
    case (let type?, let patch?, false): action = .create(type: type, patch, revival)
    case (nil, let patch?, false) where patch.fill.isEmpty && revival == PlainRevival(): action = .patch(patch)
    case (nil, nil, true) where revival == PlainRevival() && files.isEmpty: action = .delete
    default: throw PlainMalformed()
    }
  }
}

/// The files that one field names after a change.
struct PlainFileField {
  var tag: UInt64 = 0
  var hashes: [[UInt8]] = []

  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    for record in try bytes.records() {
      switch record.tag {
      case 1: tag = try record.number()
      case 2:
        guard try record.bytes().count == 32 else { throw PlainMalformed() }
        if let last = hashes.last, !last.lexicographicallyPrecedes(record.value) { throw PlainMalformed() }
        hashes.append(record.value)
      default: throw PlainMalformed()
      }
    }
    guard (1...UInt64(Int32.max)).contains(tag) else { throw PlainMalformed() }
  }
}

/// Whether a create may replace a tombstone, by what its author knew of the delete.
struct PlainRevival: Equatable {
  var isReviving = false
  var seen: PlainSeen?
}

struct PlainSeen: Equatable {
  var history = PlainID.zero
  var cursor: Int64 = 0

  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    for record in try bytes.records() {
      switch record.tag {
      case 1: history = try record.id()
      case 2: cursor = Int64(bitPattern: try record.number())
      default: throw PlainMalformed()
      }
    }
    guard cursor > 0 else { throw PlainMalformed() }
  }
}
