// A list that is always up to date: the items to buy and the items bought, in the first notebook.
import ModelRuntime

extension Shell {
  /// Prints the list now and after every change, made on this device or on another one.
  func watch() throws {
    let list = store.list(Item.toBuy(notebook: try notebook().id))
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

  /// One section for items to buy, one for items bought; either may be missing.
  private func text(of list: ListSnapshot<Item, Bool>) -> String {
    (0..<list.sectionCount).map { section in
      let names = list.positions(ofSection: section).compactMap { try? store.object(list.id(at: $0))?.name }
      return "| \(list.section(at: section) ? "bought" : "to buy"): \(names.joined(separator: ", "))\n"
    }.joined()
  }
}
