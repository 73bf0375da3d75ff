// The part of a server that the workload needs: one queue, and the outcome of each operation.

import ModelSupport
import StoreTestSupport

struct WorkloadServer {
  let queue: QueueID
  private(set) var head: Int64 = 0
  private(set) var rows: [UUIDValue: Row] = [:]
  private(set) var outcomes: [OperationID: OperationOutcome] = [:]

  struct Row: Hashable {
    var revision: Int64
    /// Nil for a tombstone.
    var content: [UInt8]?
  }

  /// Applies, in order, the operations that have no outcome yet.
  mutating func commit(_ mutations: [CommitRequest.Mutation], refusing isRefused: (OperationID) -> Bool) throws {
    for mutation in mutations where outcomes[mutation.operation] == nil {
      let status: OperationOutcome.Status
      if mutation.isVoid {
        status = .voided
      } else if isRefused(mutation.operation) {
        status = .rejected("forbidden")
      } else {
        status = try apply(OperationChanges(bytes: mutation.changes)) ? .applied : .noEffect
      }
      outcomes[mutation.operation] = OperationOutcome(operation: mutation.operation, status: status, at: head)
    }
  }

  /// Edits an entry as another member would.
  mutating func edit(_ id: ObjectID<Entry>, _ body: (inout Entry) -> Void) throws {
    guard let content = rows[id.rawValue]?.content else { return }
    var entry = try Entry(id: id, blob: content)
    body(&entry)
    head += 1
    rows[id.rawValue] = Row(revision: head, content: try entry.encoded())
  }

  /// The pages that a device may ask for now.
  var pages: ServerPages {
    let objects = rows.map { id, row in
      ObjectState(
        id: id, revision: row.revision,
        live: row.content.map {
          .init(type: Entry.modelName, content: $0, system: SystemFields(createdBy: .zero, at: .zero))
        })
    }
    return ServerPages(head: head, objects: objects, outcomes: outcomes)
  }

  /// Applies changes, and returns whether anything changed. A deleted object stays deleted.
  private mutating func apply(_ changes: OperationChanges) throws -> Bool {
    var hadEffect = false
    for change in changes.objects {
      let row = rows[change.object]
      if row != nil, row?.content == nil { continue }
      let content = try change.applied(to: row?.content)
      guard content != row?.content else { continue }
      head += 1
      rows[change.object] = Row(revision: head, content: content)
      hadEffect = true
    }
    return hadEffect
  }
}
