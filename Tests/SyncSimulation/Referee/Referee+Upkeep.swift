// Holds upkeep against the model: step by step, and whole rounds.

import SyncProtocol
import SyncServer
import WireFormat

extension Referee {
  /// Everything that a round of upkeep which begins now has to do.
  func round(of rules: PlainRules) -> PlainRound { PlainRound(rules, of: model, at: newestTime) }

  /// Called when a round has ended. Reports what it has left undone.
  func checkEnd(of round: PlainRound, _ storage: RecordingStorage?) {
    if let difference = round.difference(from: model) { report("after upkeep \(difference)") }
    for queue in round.ended {
      do {
        try storage?.stored { snapshot in
          if let object = try snapshot.changes(in: QueueID(queue), rows: 1).objects.first {
            report("after upkeep it keeps \(object.id) of \(queue), which has ended")
          }
        }
      } catch { report("after upkeep it cannot be read: \(error)") }
    }
    world.count("rounds of upkeep")
    world.oracles.filesAreWhole()
  }
}

extension PlainRules {
  init(_ rules: UpkeepRules) { self.init(tombstones: rules.tombstones, outcomes: rules.outcomes, files: rules.files) }
}

extension PlainMark {
  init(_ mark: QueueMark) { self.init(head: mark.head, time: mark.time.millisecondsSince1970) }
}

extension TransactionRecord {
  var forgetting: PlainForgetting {
    var forgetting = PlainForgetting()
    forgetting.notesTime = notedTime != nil
    forgetting.mark = mark?.head
    for case .tombstonesGone(_, let revision) in puts { forgetting.tombstones = revision }
    forgetting.outcomes = outcomesGone.map { PlainID($0) }
    forgetting.files = files.filter { $0.file == nil }.map(\.hash.bytes)
    forgetting.marks = marksGone?.millisecondsSince1970
    return forgetting
  }
}
