// Finds what a world leaves in memory. It must leave nothing, because many seeds would fill the memory.

/// Watches the objects of a world that an endless task, or a cycle, could keep. Outlives the world.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class Remains: @unchecked Sendable {
  private var items: [Item] = []

  private struct Item {
    weak var object: AnyObject?
    let name: String
  }

  func watch(_ object: AnyObject, _ name: String) { items.append(Item(object: object, name: name)) }

  /// The objects that still exist. After the world has gone, they are leaks.
  var names: [String] { items.filter { $0.object != nil }.map(\.name) }
}
