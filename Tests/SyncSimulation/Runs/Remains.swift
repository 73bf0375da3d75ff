// What a world leaves in memory: nothing, or many seeds would fill it.

/// Everything of a world that could be kept by a task that never ends, or by a cycle. Outlives the world.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class Remains: @unchecked Sendable {
  private var items: [Item] = []

  private struct Item {
    weak var object: AnyObject?
    let name: String
  }

  func watch(_ object: AnyObject, _ name: String) { items.append(Item(object: object, name: name)) }

  /// What is still there: after the world has gone, a leak.
  var names: [String] { items.filter { $0.object != nil }.map(\.name) }
}
