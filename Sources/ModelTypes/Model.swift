// What every generated model is: a value with an id, a queue, and fields in a table.

public import WireFormat

/// An object of the schema, as a value.
public protocol Model: WireMessage, Identifiable {
  /// The name in the schema, which is the type name beside the object's bytes.
  static var modelName: String { get }

  var id: ObjectID<Self> { get }

  /// The queue that the object was born in; nil for an object that never leaves the device.
  var queueID: QueueID? { get }

  /// The tag of the `newestBy` field, nil where the schema names none.
  static var newestByTag: Int? { get }

  /// By which new devices load the newest objects first, nil where the schema names no field for it.
  var newestBy: Int64? { get }

  /// What decoding starts from: declared defaults and zeros.
  init(zeroWithID id: ObjectID<Self>)
}

extension Model {
  public static var newestByTag: Int? { nil }
  public var newestBy: Int64? { nil }
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
}

extension ObjectID {
  /// For the id of a model with `queue: self`, and of a user's home: the queue that it names.
  public var queueID: QueueID { QueueID(rawValue) }
}
