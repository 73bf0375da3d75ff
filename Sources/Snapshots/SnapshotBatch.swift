// Changes that a list takes together.

/// Changes of a list, in the order in which they happened.
///
/// Of several changes of one row the last put or removal counts. A batch in the order of its list is applied without
/// sorting.
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

  /// The number of changes; several changes of one row each count.
  public var count: Int { operations.count }
  public var isEmpty: Bool { operations.isEmpty }

  public mutating func reserveCapacity(_ count: Int) { operations.reserveCapacity(count) }

  /// Puts the object at these keys. It appears, or it moves; if it has these keys already, its value counts as changed.
  public mutating func put(_ row: ListRow, section: ListKey = .number(0), order: ListKey) {
    operations.append(Operation(row: row.number, kind: .put, section: section, order: order))
  }

  /// Removes the object. Does nothing if the list does not have it.
  public mutating func remove(_ row: ListRow) {
    operations.append(Operation(row: row.number, kind: .remove))
  }

  /// Notes that the object's value has changed and its keys have not. Does nothing if the list does not have it.
  public mutating func update(_ row: ListRow) {
    operations.append(Operation(row: row.number, kind: .update))
  }

  /// The row of each change, in order.
  package var rows: [ListRow] { operations.map { ListRow($0.row) } }

  /// The keys at which the batch puts each row; nil for a row that it removes. Rows that are only updated are left out.
  package var lastPlaces: [ListRow: (section: ListKey, order: ListKey)?] {
    var places: [ListRow: (section: ListKey, order: ListKey)?] = [:]
    for operation in operations where operation.kind != .update {
      let place = operation.kind == .put ? (section: operation.section, order: operation.order) : nil
      places.updateValue(place, forKey: ListRow(operation.row))
    }
    return places
  }

  /// Adds changes that happened after all of these.
  public mutating func append(_ later: SnapshotBatch) { operations += later.operations }
}
