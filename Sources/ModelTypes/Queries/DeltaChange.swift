// One object of a delta, as a value of the schema.

public import SyncProtocol
public import WireFormat

/// The newest state of one object of a queue. `Object` is a model, or `any Model` where all models are read.
public struct DeltaChange<Object: Sendable>: Sendable {
  /// The object's id, also where the object was deleted or cannot be read.
  public var id: ObjectID<Object>
  /// The queue's number for this state. It grows with every change of an object in the queue.
  public var revision: Int64
  /// The object, or why there is none.
  public var state: State

  /// For tests of code that takes in changes.
  public init(id: ObjectID<Object>, revision: Int64, state: State) {
    self.id = id
    self.revision = revision
    self.state = state
  }

  /// Whether the object is there, and whether it can be read.
  public enum State: Sendable {
    /// The object is there. Who made it and when is noted by the server.
    case live(Object, SystemFields)
    /// The object was deleted. Its tombstone has no type, so it may have been an object of any model.
    case deleted
    /// The object is there, but its bytes cannot be read as its model.
    case damaged(WireError)
    /// The object is there, but of a type that was not asked for, or that this schema does not have.
    case unknown(type: String)
  }

  /// The object; nil where it was deleted or cannot be read.
  public var object: Object? {
    if case .live(let object, _) = state { object } else { nil }
  }
}

extension DeltaChange: Equatable where Object: Equatable {}
extension DeltaChange.State: Equatable where Object: Equatable {}

extension DeltaChange {
  /// `read` makes the object of its type name and bytes; nil if it does not know the type.
  init(_ object: ObjectState, _ read: (ObjectState.Live) throws(WireError) -> Object?) {
    self.init(id: ObjectID(object.id), revision: object.revision, state: .deleted)
    guard let live = object.live else { return }
    do throws(WireError) {
      let value = try read(live)
      state = value.map { .live($0, live.system) } ?? .unknown(type: live.type)
    } catch {
      state = .damaged(error)
    }
  }
}
