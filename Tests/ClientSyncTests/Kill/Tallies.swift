// The contents of the tallies, as a client prints them or as the server's database has them, and checks of them.

import Foundation
import ModelSupport
import SyncServer

@testable import SyncVictim

struct Tallies {
  private var marks: [UInt64: Set<Int64>] = [:]
  private var counts: [UInt64: Int64] = [:]

  /// Reads the output of a client, with lines like `tally 1 2 17,18`: a tally, its count and its marks.
  init(lines: [String]) {
    for words in lines.map({ $0.split(separator: " ") }) where words.count >= 3 && words[0] == "tally" {
      guard let tally = UInt64(words[1]) else { continue }
      counts[tally] = Int64(words[2])
      marks[tally] = Set((words.count > 3 ? words[3] : "").split(separator: ",").compactMap { Int64($0) })
    }
  }

  /// Reads the database of a server.
  init(snapshot: any QueueSnapshot) throws {
    for number in Tally.all {
      let id = Tally.id(number)
      guard let content = try snapshot.object(id.rawValue, in: .board)?.live?.content else { continue }
      let tally = try Tally(id: id, blob: content)
      counts[number] = tally.count
      marks[number] = Set(tally.marks)
    }
  }

  /// The numbers of all operations that have left a mark.
  var all: Set<Int64> { marks.values.reduce(into: Set()) { $0.formUnion($1) } }

  /// Operations that were applied twice, or only in part; empty if all is well.
  var problems: [String] {
    var problems: [String] = []
    for (tally, numbers) in marks.sorted(by: { $0.key < $1.key }) where counts[tally] != Int64(numbers.count) {
      problems.append("tally \(tally) was marked \(counts[tally] ?? 0) times, by \(numbers.count) operations")
    }
    for number in all.sorted() {
      let found = Tally.all.filter { marks[$0]?.contains(number) == true }
      let expected = Mark.tallies(of: number)
      if found != expected { problems.append("\(number) has marked \(found), and not \(expected)") }
    }
    return problems
  }
}
