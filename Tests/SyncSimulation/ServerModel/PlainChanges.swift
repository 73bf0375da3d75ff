// The bytes of an operation. docs/formats/operation-format.md.

struct PlainChanges {
  var objects: [PlainChange] = []
  var follow: [PlainID] = []
  var unfollow: [PlainID] = []
  /// Hashes, 32 bytes each.
  var files: [[UInt8]] = []
  var roles: [(user: PlainID, role: PlainRole)] = []

  /// Throws where the bytes are no changes; nothing of them is done then.
  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    var last: UInt64 = 0
    for record in try bytes.records() {
      guard record.tag >= last else { throw PlainMalformed() }
      last = record.tag
      switch record.tag {
      case 1: objects.append(try PlainChange(try record.bytes()))
      case 2: follow.append(try record.id())
      case 3: unfollow.append(try record.id())
      case 4:
        guard try record.bytes().count == 32 else { throw PlainMalformed() }
        files.append(record.value)
      case 5: roles.append(try Self.role(try record.bytes()))
      default: throw PlainMalformed()
      }
    }
    guard Set(objects.map(\.object)).count == objects.count else { throw PlainMalformed() }
  }

  private static func role(_ bytes: [UInt8]) throws(PlainMalformed) -> (PlainID, PlainRole) {
    let records = try bytes.records()
    guard records.map(\.tag) == [1, 2], let role = PlainRole(rawValue: try records[1].number()) else {
      throw PlainMalformed()
    }
    return (try records[0].id(), role)
  }
}

enum PlainRole: UInt64 {
  case owner = 1
  case writer = 2
  case reader = 3

  /// As it travels.
  var name: String {
    switch self {
    case .owner: "OWNER"
    case .writer: "WRITER"
    case .reader: "READER"
    }
  }
}

/// What shall become of one object.
struct PlainChange {
  var object = PlainID.zero
  var action = Action.delete
  /// The object must be live, with a content of this SHA-256.
  var content: [UInt8]?
  /// No object must be live.
  var mustBeAbsent = false
  var newestBy: Int64?

  enum Action {
    case create(type: String, PlainPatch, isReviving: Bool)
    case patch(PlainPatch)
    case delete
  }

  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    var (type, patch, isDelete, isReviving): (String?, PlainPatch?, Bool, Bool) = (nil, nil, false, false)
    var last: UInt64 = 0
    for record in try bytes.records() {
      guard record.tag > last else { throw PlainMalformed() }
      last = record.tag
      switch record.tag {
      case 1: object = try record.id()
      case 2: type = String(decoding: try record.bytes(), as: UTF8.self)
      case 3: patch = try PlainPatch(try record.bytes())
      case 4: isDelete = try record.number() != 0
      case 5: isReviving = try record.number() != 0
      case 6: newestBy = Int64(zigzag: try record.number())
      case 7:
        guard try record.bytes().count == 32 else { throw PlainMalformed() }
        content = record.value
      case 8: mustBeAbsent = try record.number() != 0
      default: throw PlainMalformed()
      }
    }
    switch (type, patch, isDelete) {
    case (let type?, let patch?, false): action = .create(type: type, patch, isReviving: isReviving)
    case (nil, let patch?, false) where patch.fill.isEmpty && !isReviving: action = .patch(patch)
    case (nil, nil, true) where !isReviving: action = .delete
    default: throw PlainMalformed()
    }
  }
}
