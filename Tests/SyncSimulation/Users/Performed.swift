// The operations that users have performed. The oracles know them from the hands of the users, not from the store.

import WireFormat

struct Performed {
  var id: OperationID
  /// The name of the device on which it was performed, and its number there.
  var author: String
  var number: Int
  /// Its place among the operations of the device: its number, or that of its last attempt.
  var order: Int
  var queue: QueueID
  var edits: [Edit]
  var isConditional = false
  /// Operations that it declared as its dependencies.
  var after: [OperationID] = []
  /// The photo that a message shows.
  var photo: UUIDValue?
  /// Names an action for which its author needs a right that not everybody has.
  var needs: String?
  /// The file that must be on the server first.
  var file: ContentHash?
  /// The file that a field of its object names, or that it requires.
  var named: NamedFile?
  /// If it is conditional: what its author saw of each object when performing it.
  var seen: [UUIDValue: [UInt8]?] = [:]

  var name: String { "\(author).\(number)" }
  var isRetried: Bool { order != number }
  /// Whether it ends its queue.
  var isEnd: Bool { edits.contains { $0.object == queue.root && $0.kind == .delete } }

  struct Edit {
    var object: UUIDValue
    var kind: Kind
    /// The caption that it sets.
    var caption: String?
  }

  enum Kind { case create, patch, delete }

  struct NamedFile {
    var hash: ContentHash
    /// Whether the device had its bytes when the operation was performed. It has to bring them then.
    var isHere: Bool
  }
}

/// All performed operations, by id.
struct PerformedOperations {
  private var byID: [OperationID: Performed] = [:]
  private var byName: [String: OperationID] = [:]
  /// In the order in which they were performed.
  private(set) var ids: [OperationID] = []
  /// Those that were to end their queue.
  private(set) var ends: [OperationID] = []

  mutating func add(_ operation: Performed) {
    byID[operation.id] = operation
    byName[operation.name] = operation.id
    ids.append(operation.id)
    if operation.isEnd { ends.append(operation.id) }
  }

  /// The operations that were to end a queue, in order.
  func ends(of queue: QueueID) -> [OperationID] { ends.filter { byID[$0]?.queue == queue } }

  /// Notes that its user tries an operation again.
  mutating func noteRetry(of id: OperationID, order: Int) { byID[id]?.order = order }

  var count: Int { ids.count }

  subscript(id: OperationID) -> Performed? { byID[id] }

  /// The operation with a name, which is also the caption that it sets.
  func named(_ name: String) -> Performed? { byName[name].flatMap { byID[$0] } }
}
