// The model of SyncVictim, written as the generator does. A tally records its marks as a set, and counts them.

import ModelSupport
import SampleIDs

struct Tally: Model {
  let id: ObjectID<Tally>
  var board: QueueID
  /// The numbers of the operations that have marked it.
  var marks: SortedSet<Int64> = []
  /// How often it was marked: more often than it has marks if an operation was applied twice.
  var count: Int64 = 0
  var unknownFields = UnknownFields.none

  static let modelName = "tally"
  var queueID: QueueID? { board }

  init(zeroWithID id: ObjectID<Tally>) { (self.id, board) = (id, .zero) }

  init(_ number: UInt64) { (id, board) = (Self.id(number), .board) }

  static func id(_ number: UInt64) -> ID { .object(number, in: .board) }

  static let all: [UInt64] = [1, 2, 3]

  static let fieldTable = FieldTable(
    "tally", unknownFields: \Self.unknownFields, Field(1, "board", \Self.board), Field(2, "marks", \Self.marks),
    Field(3, "count", counter: \Self.count))
}

/// The root of the queue of tallies.
struct Board: QueueModel {
  let id: ObjectID<Board>
  var unknownFields = UnknownFields.none

  static let modelName = "board"
  var queueID: QueueID? { id.queueID }

  init(zeroWithID id: ObjectID<Board>) { self.id = id }

  static let fieldTable = FieldTable("board", unknownFields: \Self.unknownFields)
}

enum TallySchema: SchemaDescription {
  static let name = "Tallies"
  static let models: [any Model.Type] = [Board.self, Tally.self]
}

extension QueueID {
  static let board = QueueID.queue(1)
}

/// Marks one or two tallies with a number.
struct Mark: ModelOperation {
  var tallies: [Tally.ID]
  var number: Int64

  static let operationName = "tally.mark"
  static let fieldTable = FieldTable(
    projection: "tally.mark", Field(1, "tallies", \Self.tallies), Field(2, "number", \Self.number))

  /// The one or two tallies that an operation marks.
  static func tallies(of number: Int64) -> [UInt64] {
    number % 3 == 0 ? [1, 2] : [1 + UInt64(number % 3)]
  }

  init(_ number: Int64) { (tallies, self.number) = (Self.tallies(of: number).map(Tally.id), number) }

  func evaluate(in context: inout OperationContext) throws {
    for tally in tallies {
      var patch = PatchBuilder()
      patch.insert(2, number)
      patch.increment(3, by: 1)
      try context.edit(tally, patch)
    }
  }
}

/// Makes a user a member of the board.
struct Invite: ModelOperation {
  var user: UserID

  static let operationName = "tally.invite"
  static let fieldTable = FieldTable(projection: "tally.invite", Field(1, "user", \Self.user))

  func evaluate(in context: inout OperationContext) throws { try context.follow(user, inQueueOf: Tally.id(1)) }
}
