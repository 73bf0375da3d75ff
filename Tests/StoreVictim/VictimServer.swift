// The part of a server that the victim needs. Its decisions are in a file, so that they outlive the victim, like those
// of a server on another machine.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport

struct VictimServer {
  let queue: QueueID
  private let log: FileHandle
  /// Every operation that has an outcome, in the order of the decisions.
  private(set) var entries: [Entry] = []
  private(set) var outcomes: [OperationID: OperationOutcome] = [:]
  private(set) var head: Int64 = 0
  private var rows: [UUIDValue: (revision: Int64, content: [UInt8]?)] = [:]

  struct Entry {
    var outcome: OperationOutcome
    var changes: [UInt8]
  }

  init(log path: String, queue: QueueID) throws {
    self.queue = queue
    let file = open(path, O_RDWR | O_CREAT | O_APPEND, 0o600)
    guard file >= 0 else { throw CocoaError(.fileReadUnknown) }
    log = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let bytes = [UInt8](try log.readToEnd() ?? Data())
    var end = 0
    while let (entry, next) = Entry.read(bytes, at: end) {
      try keep(entry)
      end = next
    }
    // An entry that a kill has cut off was never answered.
    try log.truncate(atOffset: UInt64(end))
  }

  /// Answers operations with a known outcome from memory, and applies the others in order. Operations behind a refused
  /// one that share an object with it get no outcome yet.
  mutating func commit(
    _ mutations: [CommitRequest.Mutation], refuses: (CommitRequest.Mutation) -> Bool
  ) throws -> [OperationOutcome] {
    var answers: [OperationOutcome] = []
    var blocked: Set<UUIDValue> = []
    for mutation in mutations {
      let objects = try OperationChanges(bytes: mutation.changes).objects.map(\.object)
      if outcomes[mutation.operation] == nil {
        guard blocked.isDisjoint(with: objects) else {
          blocked.formUnion(objects)
          continue
        }
        try decide(mutation, isRefused: refuses(mutation))
      }
      guard let outcome = outcomes[mutation.operation] else { continue }
      answers.append(outcome)
      if outcome.status != .applied && outcome.status != .noEffect { blocked.formUnion(objects) }
    }
    return answers
  }

  /// The pages that a device may ask for now.
  var pages: ServerPages {
    let objects = rows.map { id, row in
      let live = row.content.map {
        ObjectState.Live(type: Page.modelName, content: $0, system: SystemFields(createdBy: .zero, at: .zero))
      }
      return ObjectState(id: id, revision: row.revision, live: live)
    }
    return ServerPages(head: head, objects: objects, outcomes: outcomes)
  }

  private mutating func decide(_ mutation: CommitRequest.Mutation, isRefused: Bool) throws {
    var status = OperationOutcome.Status.voided
    if isRefused && !mutation.isVoid { status = .rejected("forbidden") }
    if !isRefused && !mutation.isVoid { status = try effect(of: mutation.changes).isEmpty ? .noEffect : .applied }
    let revisions = status == .applied ? Int64(try effect(of: mutation.changes).count) : 0
    let outcome = OperationOutcome(operation: mutation.operation, status: status, at: head + revisions)
    let entry = Entry(outcome: outcome, changes: mutation.changes)
    // The decision is in the file before the answer leaves.
    try log.write(contentsOf: entry.bytes)
    try keep(entry)
  }

  private mutating func keep(_ entry: Entry) throws {
    if entry.outcome.status == .applied {
      for (id, content) in try effect(of: entry.changes) {
        head += 1
        rows[id] = (head, content)
      }
    }
    precondition(head == entry.outcome.at, "the log of the server does not add up")
    outcomes[entry.outcome.operation] = entry.outcome
    entries.append(entry)
  }

  /// The objects that changes would alter, with their new content. A deleted object stays deleted.
  private func effect(of changes: [UInt8]) throws -> [(UUIDValue, [UInt8]?)] {
    try OperationChanges(bytes: changes).objects.compactMap { change in
      let before = rows[change.object]
      if before != nil, before?.content == nil { return nil }
      let after = try change.applied(to: before?.content)
      return after == before?.content ? nil : (change.object, after)
    }
  }
}

extension VictimServer.Entry {
  private static let statuses: [OperationOutcome.Status] = [.applied, .noEffect, .rejected("forbidden"), .voided]

  /// The entry in the file: id, head, status, length, changes.
  fileprivate var bytes: Data {
    let words = [outcome.operation.rawValue.high, outcome.operation.rawValue.low, UInt64(outcome.at)]
    let status = UInt64(Self.statuses.firstIndex(of: outcome.status)!)
    return (words + [status, UInt64(changes.count)]).reduce(into: Data()) { data, word in
      withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
    } + changes
  }

  /// Nil if there is no whole entry at this offset.
  fileprivate static func read(_ bytes: [UInt8], at start: Int) -> (Self, next: Int)? {
    guard start + 40 <= bytes.count else { return nil }
    let words = (0..<5).map { index in
      bytes.withUnsafeBytes {
        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start + index * 8, as: UInt64.self))
      }
    }
    let next = start + 40 + Int(words[4])
    guard next <= bytes.count else { return nil }
    let outcome = OperationOutcome(
      operation: OperationID(high: words[0], low: words[1]), status: statuses[Int(words[3])], at: Int64(words[2]))
    return (Self(outcome: outcome, changes: Array(bytes[(start + 40)..<next])), next)
  }
}
