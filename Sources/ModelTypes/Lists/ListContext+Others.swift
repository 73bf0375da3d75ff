// Lists that are filtered and ordered by what a view shows: the answers of other objects.

import WireFormat

/// A list of children that a list of their parents asks about.
public struct AskedChildren: Sendable {
  /// Asks once, so that the source knows the list.
  package let ask: @Sendable (any ViewSource) throws -> Void
}

extension ChildList {
  /// The list without its types.
  public var asked: AskedChildren { AskedChildren { _ = try $0.answer(.count, of: .zero, in: self) } }
}

extension ListContext {
  /// Other objects, and what the server notes of this one, for a list whose definition says that it asks.
  public var others: any ViewSource {
    guard let asked else { preconditionFailure("a list that asks about other objects says so in its definition") }
    return asked
  }
}
