// What users did, as the oracles know it: not from the store, but from the hand that did it.

import WireFormat

struct Performed {
  var id: UUIDValue
  /// The device on which it was done, and which of its actions it was.
  var author: String
  var number: Int
  var queue: UUIDValue
  var edits: [Edit]
  var isConditional = false
  /// Operations that it declared as its dependencies.
  var after: [UUIDValue] = []
  /// What a message shows.
  var photo: UUIDValue?
  /// What its author needs a right for, which not everybody has.
  var needs: String?
  /// Which has to be on the server first.
  var file: ContentHash?
  /// Which the field of its object names, or which it requires.
  var named: NamedFile?
  /// Of its condition: what its author saw of the object when it was performed.
  var seen: [UUIDValue: [UInt8]?] = [:]

  var name: String { "\(author).\(number)" }
  /// Whether it ends its queue.
  var isEnd: Bool { edits.contains { $0.object == queue && $0.kind == .delete } }

  struct Edit {
    var object: UUIDValue
    var kind: Kind
    /// The caption that it sets.
    var caption: String?
  }

  enum Kind { case create, patch, delete }

  struct NamedFile {
    var hash: ContentHash
    /// The device had its bytes when the operation was performed, and so has to bring them.
    var isHere: Bool
  }
}

/// All of them, by id.
struct PerformedOperations {
  private var byID: [UUIDValue: Performed] = [:]
  private var byName: [String: UUIDValue] = [:]
  /// In the order in which they were performed.
  private(set) var ids: [UUIDValue] = []

  mutating func add(_ operation: Performed) {
    byID[operation.id] = operation
    byName[operation.name] = operation.id
    ids.append(operation.id)
  }

  var count: Int { ids.count }

  subscript(id: UUIDValue) -> Performed? { byID[id] }

  /// The operation that set a caption; captions are names of operations.
  func named(_ name: String) -> Performed? { byName[name].flatMap { byID[$0] } }
}
