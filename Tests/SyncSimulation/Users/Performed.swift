// The operations that users have performed. The oracles know them from the hands of the users, not from the store.

import WireFormat

struct Performed {
  var id: OperationID
  /// The name of the device on which it was performed, and its number there.
  var author: String
  var number: Int
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

  mutating func add(_ operation: Performed) {
    byID[operation.id] = operation
    byName[operation.name] = operation.id
    ids.append(operation.id)
  }

  var count: Int { ids.count }

  subscript(id: OperationID) -> Performed? { byID[id] }

  /// The operation with a name, which is also the caption that it sets.
  func named(_ name: String) -> Performed? { byName[name].flatMap { byID[$0] } }
}
