// The change of an operation to one object, and the object's bytes after it.

/// A change of one object (docs/formats/operation-format.md).
public struct ObjectChange: Hashable, Sendable {
  public var object: UUIDValue
  public var action: Action
  /// By which new devices load the newest objects first; nil where the change does not touch it.
  public var newestBy: Int64?
  /// Nil where the change is made whatever the object is like.
  public var condition: Condition?
  /// The files that fields of the object name after a create or patch, by ascending tags.
  ///
  /// A field that is not listed keeps those that it has. None in a delete.
  public var files: [FileField]

  public init(
    _ object: UUIDValue, _ action: Action, newestBy: Int64? = nil, condition: Condition? = nil, files: [FileField] = []
  ) {
    self.object = object
    self.action = action
    self.newestBy = newestBy
    self.condition = condition
    self.files = files
  }

  /// The three kinds of change.
  public enum Action: Hashable, Sendable {
    /// Put if absent, of the named type; a patch that does more than fill is an upsert.
    case create(type: String, Patch, Revival = .none)
    case patch(Patch)
    case delete
  }

  /// The condition that the object must meet where the change is applied; else the whole operation is refused.
  public enum Condition: Hashable, Sendable {
    /// The object's content has this SHA-256: it is as the user saw it.
    case content(ContentHash)
    case absent
  }
}

extension ObjectChange {
  /// The object's content after this change, nil where there is no object before or after it.
  ///
  /// Conditions are not looked at. Throws as `Patch.merged(into:)` does.
  public func applied(to content: [UInt8]?) throws(WireError) -> [UInt8]? {
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
