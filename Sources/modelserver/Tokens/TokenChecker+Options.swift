// Makes the checker of tokens as the operator wants it.

import Commands
import Logging

extension TokenOptions {
  /// Reads the secrets and the keys. Throws a `Mistake` if a file cannot be read; keys at a URL that does not answer are
  /// fetched once it does.
  func checker(_ logger: Logger) async throws -> TokenChecker {
    let secrets = try secretFile.map(Secret.read) ?? []
    var sources: [KeySetSource] = []
    let places = jwks.map(KeySetPlace.init)
    for place in places {
      try place.check()
      if place.isUnprotected {
        logger.warning("--jwks: \(place) is not https: whoever is on the way to it can be any user.")
      }
      let source = KeySetSource(place) { logger.error("\($0)") }
      if case .file(let path) = place { try await Self.mustBeReadable(path) }
      sources.append(source)
    }
    await withTaskGroup(of: Void.self) { tasks in
      for source in sources { tasks.addTask { _ = await source.readAgain() } }
    }
    return await TokenChecker(secrets, keySets: sources, rules: rules)
  }

  private static func mustBeReadable(_ path: String) async throws {
    do { _ = try await KeySet(parsing: try await KeySetPlace.file(path).read().json) } catch {
      throw Mistake.inputOutput("--jwks: cannot read the keys in \(path). \(error)")
    }
  }
}
