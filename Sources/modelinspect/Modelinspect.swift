// The entry point: the list of commands, and the meaning of the exit status.
import ArgumentParser
import Commands
import ModelSupport

@main
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modelinspect",
    abstract: "Shows what is in a store, and why an operation is still pending; changes nothing.",
    discussion: """
      A store is the folder that an app gave to ModelStore. It is read without the schema, beside \
      an app that has it open, and as far as possible when it is damaged.

      EXAMPLES:
        modelinspect Store                         its user, and how much is in it
        modelinspect objects Store --model photo   objects from the server
        modelinspect outbox Store                  operations not yet confirmed
        modelinspect why Store 7                   why operation 7 is still pending
        modelinspect failed Store --json           operations that did not happen
        modelinspect files Store                   files that are to be uploaded

      EXIT STATUS:
        0  all is well
        1  something is damaged; the rest was shown
        2  wrong usage
        3  there is no store, or it cannot be read
      """,
    version: "modelinspect \(Product.version)",
    subcommands: [
      SummaryCommand.self, ObjectsCommand.self, OutboxCommand.self, WhyCommand.self, FailedCommand.self,
      FilesCommand.self,
    ],
    defaultSubcommand: SummaryCommand.self
  )

  static func main() {
    Terminal.exit(status(of: Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs a command and returns its exit status. All messages have been written by then.
  private static func status(of arguments: [String]) -> ExitStatus {
    do {
      try checkCommand(arguments, mayBeAlone: true)
      var command = try parseAsRoot(arguments)
      try command.run()
      return .clean
    } catch let status as ExitStatus {
      return status
    } catch let error as StoreError {
      Terminal.error("error: \(shown(error.message))")
      return .inputOutput
    } catch let error as ValidationError {
      // Found by the command itself: the line was right, and what it asks for is not there.
      Terminal.error("error: \(error.message)")
      return .usage
    } catch {
      return explain(error)
    }
  }

  /// Prints the message of the argument parser. Help and version count as success.
  private static func explain(_ error: any Error) -> ExitStatus {
    let text = fullMessage(for: error)
    guard exitCode(for: error) != .success else {
      Terminal.print(text)
      return .clean
    }
    Terminal.error(text)
    return .usage
  }
}

/// The exit status of a run. A command throws it after its messages have been written.
enum ExitStatus: Int32, Error {
  case clean = 0
  case damaged = 1
  case usage = 2
  case inputOutput = 3
}
