// Derives the id of an object from its identity, so that the same thing found twice is one object.

import SyncProtocol
public import WireFormat

/// Makes the id of an object of a model with `identity:` (docs/formats/blob-format.md, "Ids").
///
/// `combine` each identity field in declared order, zeros too; then `finish`. A model that never leaves its device has
/// no queue: its queue id is 16 zero bytes.
public struct IdentityHasher {
  private let place: Place
  private var records = RecordWriter(capacity: 128)

  private enum Place {
    /// The object is in this queue.
    case queue(QueueID)
    /// The object is a queue, in the app of this schema.
    case schema(String)
  }

  /// `model` is the name in blobs; a nil queue stands for 16 zero bytes.
  public init(queue: QueueID?, model: String) {
    place = .queue(queue ?? .zero)
    records.string(1, model)
  }

  /// For an object that is a queue itself. Both names are those in the schema's files, and `model` the first one it had.
  public init(schema: String, model: String) {
    place = .schema(schema)
    records.string(1, model)
  }

  public mutating func combine(_ tag: Int, _ value: ContentHash) { records.hash(tag, value) }
  public mutating func combine(_ tag: Int, _ value: UUIDValue) { records.uuid(tag, value) }
  public mutating func combine<Object>(_ tag: Int, _ value: ObjectID<Object>) { records.uuid(tag, value.rawValue) }
  public mutating func combine(_ tag: Int, _ value: String) { records.string(tag, value.canonical) }
  public mutating func combine(_ tag: Int, _ value: [UInt8]) { records.length(tag, value) }
  public mutating func combine(_ tag: Int, _ value: Int32) { records.varint(tag, Int64(value)) }
  public mutating func combine(_ tag: Int, _ value: Int64) { records.varint(tag, value) }
  public mutating func combine(_ tag: Int, _ value: UInt32) { records.varint(tag, UInt64(value)) }
  public mutating func combine(_ tag: Int, _ value: UInt64) { records.varint(tag, value) }
  public mutating func combine(_ tag: Int, _ value: Bool) { records.varint(tag, UInt64(value ? 1 : 0)) }
  public mutating func combine(_ tag: Int, _ value: Timestamp) { records.varint(tag, value.millisecondsSince1970) }

  /// Adds a set, one record an element.
  public mutating func combine<Object>(_ tag: Int, _ values: SortedSet<ObjectID<Object>>) {
    for value in values { combine(tag, value) }
  }

  /// Adds an enum by its number.
  public mutating func combine<Enum: ModelEnum>(_ tag: Int, _ value: Enum) {
    combine(tag, value.rawValue)
  }

  /// Returns the id. That of an object in a queue is bound to it; its chosen bits come from a SHA-256 over the queue, the
  /// model and all fields. That of a queue comes from a SHA-256 over the schema, the model and all fields.
  public consuming func finish<Object>() -> ObjectID<Object> {
    switch place {
    case .queue(let queue): ObjectID(.derived(in: queue, identity: records.bytes))
    case .schema(let schema): ObjectID(SyncID.queue(ofSchema: schema, identity: records.bytes).root)
    }
  }

  /// The form in which an identity has a text: two texts that are canonically equivalent are one. Objects store this
  /// form, so that their id can be derived from what they hold.
  public static func text(_ text: String) -> String { text.canonical }
}
