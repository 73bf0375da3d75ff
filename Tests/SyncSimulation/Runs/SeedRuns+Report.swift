// The results of the runs, in words.

import Foundation

extension SeedRuns {
  /// Counts of every kind of event and fault.
  package func report(seconds: Double) -> String {
    var lines = ["sync simulation: \(seedCount) seeds, \(stepCount) steps, \(counts["edits"]) edits, \(Int(seconds)) s"]
    let names = counts.counts.keys.sorted()
    let faults = names.filter { $0.hasPrefix("fault ") }
    let outcomes = names.filter { $0.hasPrefix("outcome ") }
    let others = names.filter { !$0.hasPrefix("fault ") && !$0.hasPrefix("outcome ") }
    for (kind, list) in [("faults", faults), ("outcomes", outcomes), ("events", others)] {
      let words = list.map {
        "\($0.split(separator: " ", maxSplits: kind == "events" ? 0 : 1).last ?? "") \(counts[$0])"
      }
      lines.append("  \(kind): \(words.joined(separator: ", "))")
    }
    lines.append("  \(failures.count) of \(seedCount) seeds broke a promise")
    return lines.joined(separator: "\n")
  }

  /// The events that a run of many seeds must have seen, and this one has not.
  package var missing: [String] { Self.expected.filter { counts[$0] == 0 } }

  private static let expected =
    Fault.allCases.filter { ![.dependencies, .conditions, .files, .batches].contains($0) }
    .map { "fault \($0.rawValue)" } + events.components(separatedBy: ", ")

  /// Outcomes, the ways of faults that have several, and what is no fault.
  private static let events = """
    outcome applied, outcome noEffect, outcome voided, outcome unknown, outcome forbidden, outcome invalid, \
    outcome conditionFailed, uploads, batches, conditional edits, messages about photos, declared dependencies, \
    follow, unfollow, crash in a transaction, server crash in a transaction, request lost, answer lost, \
    request delayed, answer delayed, gateway, busy reading, busy or failing, throws after commit, \
    throws in the middle, a member leaves, a member joins, a role is lowered, a role is raised, a new album, \
    transactions written together, a shared transaction fails, pages that bytes end, objects larger than a page, \
    rounds of upkeep, outcomes that upkeep forgets, tombstones that upkeep forgets, an owner is made, \
    an owner is lowered, an owner leaves, the last owner wants to go, a failover, a failover after another, \
    memberships that are lost, queues that are lost, queues made again, looks at operations that are sent again, \
    reported as lost memberships, operations tried again, first loads of many, deltas of several queues, \
    polls over all queues, pages fetched ahead, commits before a page ahead, headings beyond a caption, \
    captions over a heading, an app is updated, old apps may only read, all apps may write, \
    commits of apps that are too old, operations that an update finds in the outbox, edits sent between first loads, \
    syncs once that are done, syncs once that fail, hundreds of operations under way, \
    thousands of operations under way, syncs once that are cancelled, syncs once beside another, uploads done, \
    parts of files, uploads resumed, uploads that go on elsewhere, uploads with wrong bytes, uploads taken over, \
    uploads refused, uploads that end with the membership, a part is cut, a part with wrong bytes, \
    a file is brought by two, a membership ends while a file comes, a role is lowered while a file comes, \
    the server is killed while a file comes, the power goes while a file comes, upkeep while a file comes, \
    a device is killed while it brings a file, the folder of files fails, unsynced bytes of files lost, \
    files removed by upkeep, parts removed by upkeep, files that a restore misses, \
    operations done that require a file, files read at the end, uploads that were done before, downloads that go on, \
    downloads done, downloads refused, downloads of what is not there, downloads of nothing, \
    a download with wrong bytes, a download is cut, request of a file lost, answer of a file lost, \
    request of a file delayed, answer of a file delayed, a file without a token, a proxy refuses a part, \
    a quota is reached, files added, files of photos changed, a source is deleted, a source is changed, \
    a source breaks off, files whose source fails, files without room, no room for a file, a call of a file fails, \
    a device falls in a call of a file, names and bytes of files that a power cut takes, files read from the device, \
    files fetched, files held, looks at files cancelled, files that go with their queue, \
    files that the system takes from a cache, networks that cost money, \
    looks at files kept after the end of their queue, looks at files that were brought, \
    files read on devices at the end, files that nobody brings again, files that nobody had to bring, \
    files swept or named, others taken into a new album, worlds in which a queue ends, queues that end, \
    queues that end again after a loss, end of a queue: applied, end of a queue: voided, end of a queue: forbidden, \
    ends performed offline, ends performed behind other work, ends taken back before they are sent, \
    ends taken back under way, ends heard, ends heard with an own end under way, ends heard with other work under way, \
    reported as ended, looks at queues that end, looks at queues that their user has ended, looks at ended queues, \
    removals of objects after an end that leave some, looks at forged objects, salvaged stores, salvaged operations, \
    salvaged reports, salvaged retired operations, salvages without a page of objects, \
    salvages with a damaged operation, forbidden when performed, pin: forbidden, pin: applied, take back: forbidden, \
    take back: applied, names forged, members forged, links forged, links opened, links closed, links joined, \
    links refused, joins performed, joins performed offline, signals shown, signals taken back, signals told, \
    signals seen at rest
    """

  /// The fewest edits that a run must have: 125 in 130 steps, so 250,000 in 2,000 seeds of 130 steps.
  package var fewestEdits: Int { stepCount * 125 / 130 }
}
