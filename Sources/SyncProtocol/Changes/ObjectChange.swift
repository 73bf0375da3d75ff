// A change of one object, and its effect on the object's bytes.

package import WireFormat

/// A change of one object (docs/formats/operation-format.md).
package struct ObjectChange: Hashable, Sendable {
  package var object: UUIDValue
  package var action: Action
  /// The number by which new devices load the newest objects first; nil if the change does not set it.
  package var newestBy: Int64?
  /// Nil if the change is made whatever the object's state is.
  package var condition: Condition?
  /// The files that the object's fields name after a create or a patch, by ascending tags.
  ///
  /// A field that is not listed keeps the files that it names. Empty for a delete.
  package var files: [FileField]

  package init(
    _ object: UUIDValue, _ action: Action, newestBy: Int64? = nil, condition: Condition? = nil, files: [FileField] = []
  ) {
    self.object = object
    self.action = action
    self.newestBy = newestBy
    self.condition = condition
    self.files = files
  }

  /// The type that a create names; nil for other changes.
  package var createdType: String? {
    if case .create(let type, _, _) = action { type } else { nil }
  }

  /// The three kinds of change.
  package enum Action: Hashable, Sendable {
    /// Puts an object of this type there if it is absent. With a patch that does more than fill, it is an upsert.
    case create(type: String, Patch, Revival = .none)
    case patch(Patch)
    case delete
  }

  /// The condition that the object must meet when the change is applied. If it does not, the whole operation is
  /// rejected.
  package enum Condition: Hashable, Sendable {
    /// The object's content has this SHA-256, so it is still what the user saw.
    case content(ContentHash)
    case absent
  }
}

extension ObjectChange {
  /// The object's content after this change; nil after a delete, and after a patch if there is no object.
  ///
  /// Does not check the condition. Throws as `Patch.merged(into:)` does.
  package func applied(to content: [UInt8]?) throws(WireError) -> [UInt8]? {
    switch action {
    case .create(_, let patch, _):
      return try patch.merged(into: content ?? [])
    case .patch(let patch):
      guard let content else { return nil }
      return try patch.merged(into: content)
    case .delete:
      return nil
    }
  }
}
