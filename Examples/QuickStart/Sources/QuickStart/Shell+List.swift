// A list that is always up to date: what is to buy, and what was bought, in the first notebook.
import ModelRuntime

extension Shell {
  /// Prints the list now and after every change, of this device or another one.
  func watch() throws {
    let list = store.open(Item.toBuy(notebook: try notebook().id))
    watching?.cancel()
    watching = Task {
      for await update in list.updates where !update.changes.isEmpty {
        say(text(of: update.snapshot))
      }
    }
  }

  func unwatch() async {
    watching?.cancel()
    await watching?.value
    watching = nil
  }

  /// A section for what is to buy, one for what was bought; either may be missing.
  private func text(of list: ListSnapshot<Item, Bool>) -> String {
    (0..<list.sectionCount).map { section in
      let names = list.positions(ofSection: section).compactMap { try? store.object(list.id(at: $0))?.name }
      return "| \(list.section(at: section) ? "bought" : "to buy"): \(names.joined(separator: ", "))\n"
    }.joined()
  }
}
