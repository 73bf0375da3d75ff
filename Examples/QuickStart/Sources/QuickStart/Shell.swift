// A client that a person drives with typed commands. Each change is visible at once, with or without a server.
import Foundation
import ModelRuntime

@MainActor
final class Shell {
  let store: ModelStore
  private let client: SyncClient
  /// Nil while the client is offline.
  private var syncing: Task<Void, Never>?
  /// Nil while no list is shown.
  var watching: Task<Void, Never>?

  /// `user` is the subject of the token. The token is read from its file, and again whenever the server refuses it.
  init(user: String, store folder: String, server: String, tokenFile: String) throws {
    guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host() != nil else {
      throw ShellError("\(server) is no address of a server; it has to be like http://127.0.0.1:8080")
    }
    store = try ModelStore(at: URL(filePath: folder), schema: QuickStartSchema.self, user: Self.user(user))
    let transport = HTTPTransport(url: url) { _ in
      guard let token = try? String(contentsOfFile: tokenFile, encoding: .utf8) else {
        throw ShellError("the file \(tokenFile) with the token cannot be read")
      }
      return token.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    client = SyncClient(store: store, transport: transport)
  }

  /// Reads commands until `quit`, and prints `ok` or `error: …` after each.
  func run() async throws {
    for await line in Self.lines {
      if line == "quit" { break }
      do {
        try await perform(line)
        say("ok\n")
      } catch {
        say("error: \(error)\n")
      }
    }
    await unwatch()
    await goOffline()
    try await store.waitUntilSaved()
  }

  /// The user id that the server derives from a token's `sub`, and from its `iss` if it has one. Here it has none.
  private static func user(_ name: String) -> UserID { UserID(subject: name, issuer: nil) }

  /// The typed lines. A thread of its own waits for them, so that the main actor is free, as in an app.
  private static var lines: AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }

  private func perform(_ line: String) async throws {
    let (command, rest) = line.splitAtSpace()
    if rest.isEmpty, let word = Self.needed[command] { throw ShellError("\(command) needs a \(word)") }
    switch command {
    case "": break
    case "notebook": store.create(Notebook(title: rest))
    case "note": store.create(Note(notebook: try notebook().id, text: rest, createdAt: .now))
    case "text": store.update(try note().id) { $0.text = rest }
    case "label": store.perform(Note.Label(try note().id, word: rest))
    case "read": store.perform(Note.Read(try note().id))
    case "unread": say(try unread())
    case "seen": try markAsRead()
    case "pin": store.perform(Note.Pin(try note().id))
    case "picture": try await attach(rest)
    case "look": say(try await look())
    case "item": store.create(Item(notebook: try notebook().id, name: rest))
    case "tick": store.perform(Item.Tick(try item(rest).id))
    case "remove": try check(store.delete(try item(rest).id))
    case "invite": store.perform(Notebook.Invite(try notebook().id, user: Self.user(rest)))
    case "guest": store.perform(Notebook.Guest(try notebook().id, user: Self.user(rest)))
    case "leave": store.perform(Notebook.Leave(try notebook(titled: rest).id))
    case "end": try check(store.delete(try notebook(titled: rest).id))
    case "online": goOnline()
    case "offline": await goOffline()
    case "show": say(try page())
    case "watch": try watch()
    case "unwatch": await unwatch()
    case "may": say(try rights(to: item(rest)))
    case "failed": try await showFailed()
    case "retry": await client.retry()
    case "wait": try await until { store.pendingOperations.isEmpty && store.files.progress.isIdle }
    case "until": try await until { try page().contains(rest) }
    case "until-no": try await until { try !page().contains(rest) }
    case "status": say(await client.status.text + "\n")
    case "help": say(Self.help)
    default: throw ShellError("there is no command \(command); help lists them")
    }
  }

  private static let needed = [
    "notebook": "TITLE", "note": "TEXT", "text": "TEXT", "label": "WORD", "item": "NAME", "tick": "NAME",
    "picture": "PATH", "remove": "NAME", "invite": "USER", "guest": "USER", "leave": "TITLE", "end": "TITLE",
    "may": "NAME",
  ]

  private static let help = """
    notebook TITLE   begins a notebook         note TEXT    begins a note in the first notebook
    text TEXT        rewrites the first note   label WORD   labels it   read   counts a reader   pin
    picture PATH     puts a file beside it     look         fetches that, and says how large it is
    item NAME        puts something to buy into the first notebook; tick NAME, remove NAME
    unread           how many notes of others are new     seen   marks them as read, on all devices
    watch            shows what is to buy there, and again whenever it changes; unwatch
    invite USER      shares the first notebook guest USER   shares it, to read and tick only
    leave TITLE      ends following a notebook end TITLE    ends the notebook, for everybody
    may NAME         what the user may do with an item
    failed           what did not happen, and why; shown once
    online, offline  starts and stops syncing  show         everything, as it is seen here
    wait             until everything done here has reached the server
    until TEXT       until `show` has the text until-no TEXT
    status           how syncing stands        retry        tries again at once      quit

    """
}

// Syncing.
extension Shell {
  private func goOnline() {
    guard syncing == nil else { return }
    syncing = Task {
      // Only an error of the store ends `run`: its disk fails, or another client has taken over.
      do { try await client.run() } catch { say("error: syncing has ended: \(error)\n") }
      syncing = nil
    }
  }

  private func goOffline() async {
    syncing?.cancel()
    await syncing?.value
  }

  /// Waits until a condition holds. Throws while offline, because it would wait for ever.
  private func until(_ condition: () throws -> Bool) async throws {
    while try !condition() {
      guard syncing != nil else { throw ShellError("that never comes while offline") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

/// Writes a text at once. `print` keeps lines back if the output is no terminal.
func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

struct ShellError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension SyncStatus {
  var text: String {
    "\(activity), \(pendingOperations) operations on their way, \(failedOperations) did not happen"
      + (problem.map { ": \($0)" } ?? "")
  }
}

extension String {
  fileprivate func splitAtSpace() -> (String, String) {
    let parts = split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : "")
  }
}
