// The entry point: the list of commands, and what the exit status means.

import ArgumentParser
import Commands
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@main
struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modelserver",
    abstract: "Keeps the data of an app's users in sync: one program, one database file.",
    discussion: """
      The server stores what clients send and merges it by field; it needs no schema. Each token that \
      was signed with the secret stands for a user.

      EXAMPLES:
        modelserver new-secret secret.txt
        modelserver serve --create --database team.sqlite --secret-file secret.txt
        modelserver token --secret-file secret.txt --user anna
        modelserver backup --database team.sqlite --to monday.sqlite

      EXIT STATUS:
        0  all is well; the server was asked to stop, and has
        1  a second signal ended the server at once
        2  wrong usage
        3  a file, the database or the port cannot be used
      """,
    version: "modelserver \(Product.version)",
    subcommands: [
      ServeCommand.self, NewSecretCommand.self, TokenCommand.self, BackupCommand.self, RestoreCommand.self,
      ChangeHistoryCommand.self, CopyCommand.self, UsageCommand.self, QueuesCommand.self, MembersCommand.self,
      VersionsCommand.self, ExportCommand.self, ForgetCommand.self, CheckCommand.self,
    ]
  )

  static func main() async {
    // New files can be read by this account only, because they have the data of users.
    umask(0o077)
    Terminal.exit(await status(of: Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs a command, prints its error if it fails, and returns the exit status.
  private static func status(of arguments: [String]) async -> ExitStatus {
    do {
      try checkCommand(arguments)
      let arguments = try EnvironmentOptions.added(to: arguments, ProcessInfo.processInfo.environment)
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return .clean
    } catch let mistake as Mistake {
      Terminal.error("error: \(mistake.message)")
      return mistake.status
    } catch {
      return explain(error)
    }
  }

  /// Prints the message of the argument parser. Help and version are no failures.
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

/// The exit status, as the shell sees it.
enum ExitStatus: Int32 {
  case clean = 0
  case interrupted = 1
  case usage = 2
  case inputOutput = 3
}

/// A mistake that the operator has to fix. The message names the flag or file, and says what to do.
struct Mistake: Error {
  var status: ExitStatus
  var message: String

  static func usage(_ message: String) -> Self { Self(status: .usage, message: message) }
  static func inputOutput(_ message: String) -> Self { Self(status: .inputOutput, message: message) }
}
