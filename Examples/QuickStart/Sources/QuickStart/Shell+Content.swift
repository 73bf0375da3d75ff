// Output of the shell: the objects of the store, the user's rights, and operations that did not happen.
import ModelRuntime

extension Shell {
  /// Notebooks by title, with their items by name and their notes by age.
  func page() throws -> String {
    let items = try store.objects(Item.self, orderedBy: .ascending(\.name))
    let notes = try store.objects(Note.self, orderedBy: .ascending(\.createdAt))
    return try notebooks().map { notebook in
      let toBuy = items.filter { $0.notebook == notebook.id }.map { "  [\($0.done ? "x" : " ")] \($0.name)\n" }
      let lines = notes.filter { $0.notebook == notebook.id }.map { note in
        let labels = note.labels.isEmpty ? "" : " [\(note.labels.joined(separator: ", "))]"
        let picture = note.picture.map { ", picture \($0.name)" } ?? ""
        return "  \(note.pinned ? "!" : "-") \(note.text)\(labels) read \(note.reads) times\(picture)\n"
      }
      return "\(notebook.title)\n" + toBuy.joined() + lines.joined()
    }.joined()
  }

  /// How many notes of others are unread in the first notebook, as its row in a list would show it.
  func unread() throws -> String {
    let notebook = try notebook()
    let row = try store.view(Notebook.Row.self, of: notebook.id)
    return "\(notebook.title): \(row?.unread ?? 0) unread\n"
  }

  /// Marks the notes of the first notebook as read, up to the newest. The time is the one that the server has noted of it,
  /// so no clock of a device matters.
  func markAsRead() throws {
    let notebook = try notebook()
    guard let newest = try store.view(Notebook.Row.self, of: notebook.id)?.newest,
      let time = try store.systemFields(of: newest)?.createdAt
    else { throw ShellError("\(notebook.title) has no note") }
    store.perform(Notebook.Read(notebook.id, upTo: time))
  }

  /// The user's rights to an item, as an app asks for them before it shows a button. The store derives them from the
  /// user's role and the schema.
  func rights(to item: Item) -> String {
    let rights = [
      ("add", store.can(create: Item.self, in: item.notebook.queueID)),
      ("tick", store.can(.change(\.done), item.id)),
      ("remove", store.can(.delete, item.id)),
    ]
    return rights.map { "\($0): \($1 ? "yes" : "no")" }.joined(separator: ", ") + "\n"
  }

  /// Prints operations that did not happen, and dismisses them, as an app does when its user has seen them.
  func showFailed() async throws {
    if store.failedOperations.isEmpty { say("nothing\n") }
    for item in store.failedOperations {
      say("\(item.name): \(item.reason.code)\n")
      try await store.dismiss(item)
    }
  }

  /// Throws if the store has refused the operation at once.
  func check(_ operation: OperationHandle) throws {
    if case .failed(let error) = operation.state { throw error }
  }
}

// The objects that commands work on. Each call throws if there is none.
extension Shell {
  private func notebooks() throws -> [Notebook] { try store.objects(Notebook.self, orderedBy: .ascending(\.title)) }

  func notebook(titled title: String? = nil) throws -> Notebook {
    guard let notebook = try notebooks().first(where: { title == nil || $0.title == title }) else {
      throw ShellError("there is no such notebook")
    }
    return notebook
  }

  func note() throws -> Note {
    let first = try notebook()
    let notes = try store.objects(Note.self, orderedBy: .ascending(\.createdAt))
    guard let note = notes.first(where: { $0.notebook == first.id }) else {
      throw ShellError("\(first.title) has no note")
    }
    return note
  }

  func item(_ name: String) throws -> Item {
    let first = try notebook()
    guard let item = try store.objects(Item.self).first(where: { $0.notebook == first.id && $0.name == name }) else {
      throw ShellError("\(first.title) has no \(name)")
    }
    return item
  }
}
