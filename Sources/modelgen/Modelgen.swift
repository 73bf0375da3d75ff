// The entry point: the list of commands, and the meaning of the exit status.
import ArgumentParser
import Commands
import ModelEmitters

@main
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modelgen",
    abstract: "Generates Swift models from schema files, and checks them.",
    discussion: """
      EXAMPLES:
        modelgen init               start a schema folder, Schemas/
        modelgen lint               look for mistakes in it
        modelgen fix                mend those whose remedy is certain
        modelgen generate           write the Swift models, where modelgen.yaml says
        modelgen generate --check   fail when they are out of date: for CI
        modelgen release 1.0        when an app with the schema goes out to people
        modelgen breaking           what has changed since, and what it breaks
        modelgen doctor             how a project stands, and what to do about it
        modelgen diagram            a picture of the models
        modelgen json-schema        what editors complete and check schema files by

      EXIT STATUS:
        0  all is well
        1  mistakes in a schema, a breaking change, or generated files out of date
        2  wrong usage
        3  a file cannot be read or written
      """,
    version: "modelgen \(Emitter.version)",
    subcommands: [
      InitCommand.self, GenerateCommand.self, LintCommand.self, FixCommand.self, ReleaseCommand.self,
      BreakingCommand.self, RetireCommand.self, DoctorCommand.self, DiagramCommand.self, JSONSchemaCommand.self,
    ]
  )

  static func main() {
    Terminal.exit(status(of: Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs a command and returns its exit status. All messages have been written by then.
  private static func status(of arguments: [String]) -> ExitStatus {
    do {
      try checkCommand(arguments)
      var command = try parseAsRoot(arguments)
      try command.run()
      return .clean
    } catch let status as ExitStatus {
      return status
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
  /// A mistake in a schema, or generated files that are out of date.
  case mistakes = 1
  case usage = 2
  case inputOutput = 3
}
