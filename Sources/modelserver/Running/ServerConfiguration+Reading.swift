// Reads what a running server reads again at SIGHUP: the secrets, the keys of sign-in services, and the tables of access.

import Commands
import Logging
import SyncServer

extension ServerConfiguration {
  /// Reads the files again. If one cannot be read, what was read before stays in force, and the log says why.
  func readAgain(for parts: ServerParts) async {
    if let file = tokens.secretFile, let secrets = read({ try Secret.read(file) }, "secrets", parts) {
      await parts.tokens.change(to: secrets)
      Terminal.notice("modelserver has read the secret file again; its secrets: \(secrets.count).")
    }
    for source in parts.tokens.keySets {
      guard let count = await source.readAgain() else { continue }
      Terminal.notice("modelserver has read the keys of \(source.place) again; its keys: \(count).")
    }
    if !access.paths.isEmpty, let tables = read(access.read, "table", parts) {
      parts.service.serve(tables)
      Terminal.notice("modelserver has read the table of access again; its types: \(tables.typeCount).")
    }
  }

  private func read<Value>(_ body: () throws -> Value, _ what: String, _ parts: ServerParts) -> Value? {
    do { return try body() } catch {
      let reason = (error as? Mistake)?.message ?? "\(error)"
      parts.logger.error("SIGHUP: \(reason) The previous \(what) \(what.hasSuffix("s") ? "stay" : "stays") in use.")
      return nil
    }
  }
}
