// Checks the command name on a command line, with one error message for all programs.

package import ArgumentParser

extension ParsableCommand {
  /// Throws a `ValidationError` that lists the commands where the first argument is no command. With `mayBeAlone`, a
  /// word that stands alone or before an option is taken for an argument of the default command.
  package static func checkCommand(_ arguments: [String], mayBeAlone: Bool = false) throws {
    let known = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help", !known.contains(word) else { return }
    if mayBeAlone, arguments.dropFirst().first.map({ $0.hasPrefix("-") }) ?? true { return }
    throw ValidationError("There is no command '\(word)'. The commands are \(known.joined(separator: ", ")).")
  }
}
