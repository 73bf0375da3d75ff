// `modelinspect why FOLDER OPERATION`: why an operation is still pending, or what became of it.
import ArgumentParser
import ModelSupport

struct WhyCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Says why an operation is still pending, or what became of it.",
    discussion: """
      The most important reason comes first. An operation that waits for another one is followed by that one. \
      Failures, and the times of the next attempts, are those of the last sync.

      EXAMPLES:
        modelinspect why Store 7
        modelinspect why Store 6f9b --json
        modelinspect --why 6f9b Store
      """
  )

  @OptionGroup var store: StoreOptions

  @Argument(help: "Its number in the outbox, or the beginning of its id.")
  var operation: String

  func report(_ contents: StoreContents) throws -> Report { try .why(operation, contents) }
}

extension Report {
  static func why(_ operation: String, _ contents: StoreContents) throws -> Report {
    let search = contents.search(operation)
    let problems = contents.tables.problems + search.problems
    guard let chain = contents.why(search) else {
      let refusal = refusal(of: search, contents)
      // In a damaged store the damage may hide the operation, so this is no usage error.
      if problems.isEmpty { throw ValidationError(refusal) }
      return Report(text: refusal, json: ["operations": .array([])], problems: problems)
    }
    return Report(
      text: chain.map(\.text).joined(separator: "\n\n"), json: ["operations": .array(chain.map(\.json))],
      problems: problems, damagedRows: chain.count { !$0.operation.problems.isEmpty })
  }

  private static func refusal(of search: OperationSearch, _ contents: StoreContents) -> String {
    let names = contents.names(of: search.candidates)
    guard search.found.isEmpty else {
      return (["'\(shown(search.name.text))' may be any of these:"] + names).joined(separator: "\n  ")
    }
    let refusal = """
      The store has no operation '\(shown(search.name.text))'. One that was performed just now may not be on disk yet; \
      one that was applied is kept for 7 days.
      """
    return names.isEmpty ? refusal : ([refusal + " Did you mean one of these?"] + names).joined(separator: "\n  ")
  }
}
