// The result of a benchmark, as a markdown table that can be pasted into docs/benchmarks.md.

struct Report {
  /// One sentence about the measurement.
  var heading: String
  var rows: [Row]

  struct Row {
    var what: String
    var figure: String
    var ratio: String = ""
    /// Each bound with the figure it is held against.
    var aims: [(aim: Aim, figure: Double)] = []

    /// `met` if all bounds are kept, else by how much they are missed. Empty without aims.
    var verdict: String {
      let missed = aims.compactMap { aim, figure in
        aim.missedBy(figure).map { aims.count == 1 ? "missed by \($0)" : "\(aim.text) missed by \($0)" }
      }
      return missed.isEmpty && !aims.isEmpty ? "met" : missed.joined(separator: ", ")
    }
  }

  var markdown: String {
    let lines = rows.map { row in
      let bounds = row.aims.map(\.aim.text).joined(separator: ", ")
      return "| \(row.what) | \(row.figure) | \(row.ratio) | \(bounds) | \(row.verdict) |\n"
    }
    return heading + "\n\n| what | figure | ratio | aim | |\n|---|---|---|---|---|\n" + lines.joined()
  }
}
