// The protocol of generated models: values with an id, a queue, and fields in a table.

public import SyncProtocol
public import WireFormat

/// An object of the schema, as a value.
public protocol Model: WireMessage, Identifiable, Encodable {
  /// The name in the schema, which is stored as the type name with the object's bytes.
  static var modelName: String { get }

  /// The identity of the object on every device. It is stored beside the object's bytes, not in them.
  var id: ObjectID<Self> { get }

  /// The queue that the object was born in; nil for an object that never leaves the device.
  var queueID: QueueID? { get }

  /// The tag of the `newestBy` field, nil where the schema names none.
  static var newestByTag: Int? { get }

  /// The number by which new devices load the newest objects first, nil where the schema names no field for it.
  var newestBy: Int64? { get }

  /// The tags of the fields that name files, ascending: the server keeps these files while the object lives.
  static var fileTags: [Int] { get }

  /// The rights to such objects. They are generated from `access:` in the schema; without it, roles decide.
  static var objectAccess: ObjectAccess { get }

  /// The value that decoding starts from: declared defaults and zeros.
  init(zeroWithID id: ObjectID<Self>)
}

/// A model of objects that are queues themselves (`queue: self`): the id of such an object is that of its queue.
public protocol QueueModel: Model {}

extension Model {
  /// Nil, for a model without `newestBy` in the schema.
  public static var newestByTag: Int? { nil }
  /// Nil, for a model without `newestBy` in the schema.
  public var newestBy: Int64? { nil }
  /// Empty, for a model that names no files.
  public static var fileTags: [Int] { [] }
  /// Roles decide: writers may do everything, readers may change nothing.
  public static var objectAccess: ObjectAccess { .byRole }
}

extension Model {
  /// Reads an object from its bytes. Throws for bytes that break the format, never for fields that are absent.
  public init(id: ObjectID<Self>, blob: [UInt8]) throws(WireError) {
    self.init(zeroWithID: id)
    try merge(blob)
  }

  /// Reads an object from its bytes. Throws for bytes that break the format, never for fields that are absent.
  public init(id: ObjectID<Self>, blob: UnsafeRawBufferPointer) throws(WireError) {
    self.init(zeroWithID: id)
    try merge(blob)
  }

  /// Reads an object that lies in a queue; nil if its own fields name another queue.
  ///
  /// No app writes such an object. A forged one would be shown among the objects of a queue that its author does not
  /// follow, and the user's edits of it would go to the author (docs/formats/blob-format.md, Ids).
  package init?(id: ObjectID<Self>, blob: [UInt8], in queue: QueueID?) throws(WireError) {
    try self.init(id: id, blob: blob)
    // An absent field reads as zero, which is the id of no queue.
    guard queueID == queue || queueID == .zero else { return nil }
  }
}

extension ObjectID where Object: QueueModel {
  /// The queue that the object is.
  public var queueID: QueueID { QueueID(rawValue) }
}
