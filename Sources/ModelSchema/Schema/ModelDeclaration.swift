// A model, and the queue that its objects are born in.

/// A kind of object.
public struct ModelDeclaration: Hashable, Sendable {
  /// The file stem, for example `photo`.
  public var name: String
  /// The type name in blobs, stores and derived ids: the first name the model ever had (`was:`), else `name`.
  public var wireName: String
  /// The Swift type name: `swiftName:`, else `name` with a capital first letter.
  public var swiftName: String
  public var doc: String?
  public var queue: QueuePlacement
  /// The fields from which an object's id is derived; empty where ids are random.
  public var identity: [FieldPath]
  /// The field that is sent beside the blob, so that a new device can load the newest objects first.
  public var newestBy: String?
  /// In the order of the file. Emitters sort them by tag where they need that.
  public var fields: [FieldDeclaration]
  public var reserved: ReservedFields
  /// Nil without `access:`. Then the role of a member decides alone.
  public var access: AccessDeclaration?
  public var operations: [OperationDeclaration]
  public var lists: [ListDeclaration]
  public var views: [ViewDeclaration]
  /// How long others see a value after it was shown last; nil for a model that is stored.
  public var ephemeralSeconds: Int?

  public init(
    name: String, wireName: String, swiftName: String, doc: String?, queue: QueuePlacement, identity: [FieldPath],
    newestBy: String?, fields: [FieldDeclaration], reserved: ReservedFields, access: AccessDeclaration? = nil,
    operations: [OperationDeclaration], lists: [ListDeclaration], views: [ViewDeclaration],
    ephemeralSeconds: Int? = nil
  ) {
    self.name = name
    self.wireName = wireName
    self.swiftName = swiftName
    self.doc = doc
    self.queue = queue
    self.identity = identity
    self.newestBy = newestBy
    self.fields = fields
    self.reserved = reserved
    self.access = access
    self.operations = operations
    self.lists = lists
    self.views = views
    self.ephemeralSeconds = ephemeralSeconds
  }

  /// Whether members only show such values to a queue, and nothing is stored.
  public var isEphemeral: Bool { ephemeralSeconds != nil }

  /// Whether the object is a queue with a derived id, which never ends.
  public var isQueueWithIdentity: Bool { queue == .own && !identity.isEmpty }

  public func field(named name: String) -> FieldDeclaration? {
    fields.first { $0.name == name }
  }
}

/// The queue that an object is born in. It never changes.
public enum QueuePlacement: Hashable, Sendable {
  /// The object is a queue of its own.
  case own
  /// The queue of the object that a required `ref` field names.
  case field(String)
  /// The home queue of the user that a required `ref(user)` field names.
  case home(String)
  /// Objects never leave the device.
  case device
}

/// A field, or a field inside it: `file.hash` is `["file", "hash"]`. Never empty.
public struct FieldPath: Hashable, Sendable {
  public var names: [String]

  public init(_ names: [String]) {
    self.names = names
  }
}

/// Tags and names that may never be used again.
public struct ReservedFields: Hashable, Sendable {
  /// Ascending, without overlap.
  public var tags: [ClosedRange<Int>]
  public var names: [String]

  public init(tags: [ClosedRange<Int>] = [], names: [String] = []) {
    self.tags = tags
    self.names = names
  }
}
