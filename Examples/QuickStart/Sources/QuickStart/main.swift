// Without arguments, a tour of models and the store. With `live`, a client that syncs with a server.
import Foundation
import ModelRuntime

do {
  switch CommandLine.arguments.dropFirst().first {
  case nil:
    try await tour()
  case "live" where CommandLine.arguments.count == 6:
    let arguments = CommandLine.arguments
    try await Shell(user: arguments[2], store: arguments[3], server: arguments[4], tokenFile: arguments[5]).run()
  case let word:
    print("usage: QuickStart                                         a tour of models and the store")
    print("       QuickStart live USER STORE-FOLDER URL TOKEN-FILE   a client; see the README")
    exit(word == "--help" ? 0 : 2)
  }
} catch {
  // For example a store of another user, or a full disk. The message says what to do.
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
