// Rights: who may create, update and delete objects of a model, and change the members of a queue.

/// The role of a member of a queue.
public enum MemberRole: String, Hashable, Sendable, CaseIterable {
  case owner, writer, reader
}

/// The holder of a right: a member with at least a role, the user whose create made the object, or a user whom a field
/// of the object names.
public enum RightHolder: Hashable, Sendable {
  case owner, writer, reader, creator
  case user(UserField)

  /// The holder of a word other than `user(…)` and `reader(…)`.
  init?(word: String) {
    switch word {
    case "owner": self = .owner
    case "writer": self = .writer
    case "reader": self = .reader
    case "creator": self = .creator
    default: return nil
    }
  }

  static let words = ["owner", "writer", "reader", "creator"]

  /// As a schema has it.
  var shown: String {
    switch self {
    case .owner: "owner"
    case .writer: "writer"
    case .reader: "reader"
    case .creator: "creator"
    case .user(let user): "\(user.word)(\(([user.field] + [user.part].compactMap(\.self)).joined(separator: ".")))"
    }
  }
}

/// A field that names a user: `user(author)`, `reader(author)`, `user(author.user)`.
public struct UserField: Hashable, Sendable {
  public var field: String
  /// The identity of the model that the field refers to; nil for a `ref(user)`.
  public var part: String?
  /// The least role of the user: `reader`, or `writer` for the word `user`.
  public var role: MemberRole

  public init(_ field: String, part: String? = nil, role: MemberRole = .writer) {
    self.field = field
    self.part = part
    self.role = role
  }

  static let words = ["user", "reader"]

  var word: String { role == .reader ? "reader" : "user" }
}

/// The `access:` of a model. Each right is a list of holders; to be one of them is enough, and an empty one is nobody's.
public struct AccessDeclaration: Hashable, Sendable {
  public var create: [RightHolder]
  public var update: [RightHolder]
  /// `owner`, `creator` or nobody for a model with `queue: self`, and nobody if it has an identity. The creator has to be
  /// an owner too.
  public var delete: [RightHolder]
  /// Fields with a right of their own, in the order of the file.
  public var fields: [FieldRight]
  /// Nil if it is absent; of models with `queue: self` only.
  public var members: MemberRights?

  public init(
    create: [RightHolder] = [.writer], update: [RightHolder] = [.writer], delete: [RightHolder] = [.writer],
    fields: [FieldRight] = [], members: MemberRights? = nil
  ) {
    self.create = create
    self.update = update
    self.delete = delete
    self.fields = fields
    self.members = members
  }
}

/// The right to change one field. It replaces `update:` for that field.
public struct FieldRight: Hashable, Sendable {
  public var field: String
  public var holders: [RightHolder]

  public init(field: String, holders: [RightHolder]) {
    self.field = field
    self.holders = holders
  }
}

/// The rights to change the members of a queue. None of the holders is a field.
public struct MemberRights: Hashable, Sendable {
  public var invite: [RightHolder]
  public var role: [RightHolder]
  public var remove: [RightHolder]
  /// The right to do the last two to the creator of the queue.
  public var creator: [RightHolder]

  public init(
    invite: [RightHolder] = [.writer], role: [RightHolder] = [.owner], remove: [RightHolder] = [.owner],
    creator: [RightHolder] = []
  ) {
    self.invite = invite
    self.role = role
    self.remove = remove
    self.creator = creator
  }
}

extension MemberRights {
  /// By their keys, in the order in which they are shown.
  public var all: [(key: String, holders: [RightHolder])] {
    [("invite", invite), ("role", role), ("remove", remove), ("creator", creator)]
  }
}

extension ModelDeclaration {
  /// The fields that never change after creation: those that decide the queue and the id, and those by which
  /// `access: { create: … }` knows the sender. Each once.
  public var fixedFields: [String] {
    var names = identity.map { $0.names[0] }
    switch queue {
    case .field(let name), .home(let name): names.append(name)
    case .own, .device: break
    }
    names += access?.create.compactMap { if case .user(let user) = $0 { user.field } else { nil } } ?? []
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
