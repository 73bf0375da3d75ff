// A word that is no command, said alike by all programs.

package import ArgumentParser

extension ParsableCommand {
  /// Throws a `ValidationError` with the list of the commands where the first argument is none of them. `mayBeAlone`: a single
  /// word is an argument of the default command, not the name of one.
  package static func checkCommand(_ arguments: [String], mayBeAlone: Bool = false) throws {
    let known = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let word = arguments.first, !word.hasPrefix("-"), word != "help", !known.contains(word) else { return }
    if mayBeAlone, arguments.dropFirst().first.map({ $0.hasPrefix("-") }) ?? true { return }
    throw ValidationError("There is no command '\(word)'. The commands are \(known.joined(separator: ", ")).")
  }
}
