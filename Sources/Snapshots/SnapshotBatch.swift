// Changes that a list takes all at once.

/// Changes of a list, in the order in which they happened.
///
/// Of several changes of one row the last put or removal counts. A batch that is built in the order of its list is
/// applied without sorting.
public struct SnapshotBatch: Sendable {
  struct Operation {
    enum Kind { case put, remove, update }

    var row: UInt32
    var kind: Kind
    var section: ListKey = .null
    var order: ListKey = .null
  }

  var operations: [Operation] = []

  public init() {}

  /// How many changes there are; several of one row count each.
  public var count: Int { operations.count }
  public var isEmpty: Bool { operations.isEmpty }

  public mutating func reserveCapacity(_ count: Int) { operations.reserveCapacity(count) }

  /// The object has these keys: it appears, it moves, or with the keys that it had only its value has changed.
  public mutating func put(_ row: ListRow, section: ListKey = .number(0), order: ListKey) {
    operations.append(Operation(row: row.number, kind: .put, section: section, order: order))
  }

  /// The object leaves the list. Nothing where the list does not have it.
  public mutating func remove(_ row: ListRow) {
    operations.append(Operation(row: row.number, kind: .remove))
  }

  /// The object's value has changed, and its keys have not. Nothing where the list does not have it.
  public mutating func update(_ row: ListRow) {
    operations.append(Operation(row: row.number, kind: .update))
  }

  /// The row of each change, in their order.
  package var rows: [ListRow] { operations.map { ListRow($0.row) } }

  /// Where each row is put that the batch names; nil for those that it takes out.
  package var lastPlaces: [ListRow: (section: ListKey, order: ListKey)?] {
    var places: [ListRow: (section: ListKey, order: ListKey)?] = [:]
    for operation in operations where operation.kind != .update {
      let place = operation.kind == .put ? (section: operation.section, order: operation.order) : nil
      places.updateValue(place, forKey: ListRow(operation.row))
    }
    return places
  }

  /// Adds what happened after all of this.
  public mutating func append(_ later: SnapshotBatch) { operations += later.operations }
}
