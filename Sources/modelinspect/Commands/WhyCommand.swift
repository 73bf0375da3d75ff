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

  func report(_ contents: StoreContents) throws -> Report { try contents.why(operation) }
}

extension StoreContents {
  func why(_ operation: String) throws -> Report {
    let search = OperationSearch(operation, store)
    let problems = tables.problems + search.problems
    if let meant = search.meant {
      return Report(content: ["operations": .lines(explanations(of: meant))], problems: problems)
    }
    let refusal = refusal(of: search)
    // In a damaged store the damage may hide the operation, so this is no usage error.
    if problems.isEmpty { throw ValidationError(refusal) }
    return Report(content: ["operations": .lines([])], remark: refusal, problems: problems)
  }

  private func refusal(of search: OperationSearch) -> String {
    let names = search.candidates.map(name)
    var first = "'\(shown(search.text))' may be any of these:"
    if search.found.isEmpty {
      first = """
        The store has no operation '\(shown(search.text))'. One that was performed just now may not be on disk yet; \
        one that was applied is kept for 7 days.\(names.isEmpty ? "" : " Did you mean one of these?")
        """
    }
    return ([first] + names).joined(separator: "\n  ")
  }

  /// A line about an operation that may have been meant.
  private func name(of found: OperationSearch.Found) -> String {
    let name = (try? found.row.integer("type")).flatMap { tables.types[$0]?.name } ?? "operation"
    let place =
      switch found.table {
      case .failed: "among the failed operations"
      case .retired: "\(known(found.number)) among the retired operations"
      default: "\(known(found.number)) in the outbox"
      }
    return "\(found.id)  \(shown(name)), \(place)"
  }
}
