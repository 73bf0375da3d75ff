// The command `versions`, which counts who uses which version of an app's schema.

import ArgumentParser
import Commands
import JSON
import SyncPostgres
import SyncProtocol
import SyncServer

struct VersionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions",
    abstract: "Counts the users of each version of an app's schema, also beside a running server.",
    discussion: """
      A version is the release in the app's modelgen.lock, such as 1.4; 1.4+ is a schema that has changed since. A dash \
      stands for apps that name none. A user with two devices may count for two versions. The counts of a running \
      server are a minute behind; who was not seen for a year is forgotten.

      `modelgen retire` takes the output with --format json, and says whether a field may go.

      EXAMPLES:
        modelserver versions --database team.sqlite
        modelserver versions --database team.sqlite --format json > versions.json
      """)

  @OptionGroup
  var database: DatabaseOptions

  @Option(help: "How the counts are shown: text or json.")
  var format = Format.text

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  func run() throws {
    let (today, day, counts) = try database.look(
      { try SQLiteStorage.versionCounts($0) }, { try PostgresStorage.versionCounts($0) })
    switch format {
    case .text: for line in Self.table(of: counts) { Terminal.print(line) }
    case .json: Terminal.print(Self.json(of: counts, on: today, day))
    }
  }

  /// Columns below their titles.
  static func table(of counts: [VersionCount]) -> [String] {
    guard !counts.isEmpty else { return ["No app was seen yet."] }
    let rows =
      [["schema", "version", "today", "7 days", "30 days", "365 days", "last seen"]]
      + counts.map { count in
        let users = [count.today, count.week, count.month, count.year].map(String.init)
        return [count.schema.orDash, count.version.orDash] + users + [count.lastSeen]
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row.indices, row).map { column, text in
        let gap = String(repeating: " ", count: widths[column] - text.count)
        // Numbers stand below each other, and nothing stands behind the last column.
        return column < 2 ? text + gap : column < 6 ? gap + text : text
      }
      return cells.joined(separator: "  ")
    }
  }

  /// The form that `modelgen retire` reads. `users` are those of the last days, by the number of days.
  static func json(of counts: [VersionCount], on today: String, _ day: Int64) -> String {
    let versions = counts.map { count -> JSONValue in
      let users = [("1", count.today), ("7", count.week), ("30", count.month), ("365", count.year)]
      return [
        "schema": .string(count.schema), "version": .string(count.version), "lastSeen": .string(count.lastSeen),
        "daysAgo": .number("\(count.daysAgo)"), "users": .object(users.map { JSONValue.Member($0, .number("\($1)")) }),
      ]
    }
    let list: JSONValue = ["date": .string(today), "day": .number("\(day)"), "versions": .array(versions)]
    return String(decoding: list.encoded, as: UTF8.self)
  }
}

extension String {
  fileprivate var orDash: String { isEmpty ? "-" : self }
}
