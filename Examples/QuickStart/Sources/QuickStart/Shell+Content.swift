// What a user of the shell sees of the store: its objects, what may be done with them, and what did not happen.
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

  /// What an app asks before it shows a button: the store knows the user's role and the rights of the schema.
  func rights(to item: Item) -> String {
    let rights = [
      ("add", store.may(create: Item.self, in: item.notebook.queueID)),
      ("tick", store.may(.change(\.done), item.id)),
      ("remove", store.may(.delete, item.id)),
    ]
    return rights.map { "\($0): \($1 ? "yes" : "no")" }.joined(separator: ", ") + "\n"
  }

  /// Shows what did not happen, and puts it away, as an app does when its user has seen it.
  func showAttention() async throws {
    if store.attention.isEmpty { say("nothing\n") }
    for item in store.attention {
      say("\(item.name): \(item.reason.code)\n")
      try await store.dismiss(item.id)
    }
  }

  /// Throws where the store refuses an operation at once.
  func check(_ operation: OperationHandle) throws {
    if case .failed(let error) = operation.state { throw error }
  }
}

// What commands are about.
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
