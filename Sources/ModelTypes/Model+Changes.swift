// Finds the changes between two values of an object, and applies changes to a value.

import SyncProtocol
public import WireFormat

extension Model {
  /// The patch that turns `old`, an earlier value of the same object, into this one; `.none` where they say the same.
  ///
  /// Sets change by their elements and counters by an amount, so that the patch merges with what others change at the
  /// same time; every other field is replaced whole. Throws `tooDeep` or `tooLarge` for a value that no reader would
  /// take.
  public func changes(since old: Self) throws(WireError) -> Patch {
    try .difference(from: old.encoded(), to: encoded(), kinds: Self.fieldTable.mergeKinds)
  }

  /// This object after a patch, which is merged into its bytes.
  public func applying(_ patch: Patch) throws(WireError) -> Self {
    try Self(id: id, blob: patch.merged(into: encoded()))
  }
}

extension Patch {
  /// The patch of a create without fields that have a right of their own and stand at their default, which absence means
  /// too. So who may create an object may do it though others decide that field.
  func withoutDefaults<Object: Model>(of object: Object) throws(WireError) -> Patch {
    let rights = Object.objectAccess.fields
    if rights.isEmpty { return self }
    let zero = Object(zeroWithID: object.id)
    let chosen = Set(try object.changes(since: zero).tags)
      .subtracting(Object.fieldTable.convertedTags(thatShowTheSameIn: object, zero))
    return filling { rights[$0] == nil || chosen.contains($0) }
  }
}
