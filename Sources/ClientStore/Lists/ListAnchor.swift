// An anchor: the row that stays where it is on the screen while the list changes around it.

public import ModelTypes
import Snapshots

/// An object of a list that a view keeps in its place. Holds the snapshot from which it was made.
public struct ListAnchor<Object: Model, Section: ListSection>: Sendable {
  let snapshot: Snapshot
  let position: Int
}

extension ListSnapshot {
  /// An anchor for the object at a position, which must be there.
  public func anchor(at position: Int) -> ListAnchor<Object, Section> {
    precondition(position >= 0 && position < count, "position \(position) of \(count)")
    return ListAnchor(snapshot: base, position: position)
  }

  /// The position of the anchor's object now. If it is gone, that of the next object after it that is still there, else
  /// of the last one before it; nil if none is left.
  ///
  /// The anchor must be of a list of the same store. Costs as much as the number of neighbours that are gone.
  public func position(of anchor: ListAnchor<Object, Section>) -> Int? {
    let old = anchor.snapshot
    precondition(old.layout.rows === base.layout.rows, "the anchor is of another store")
    let after = (anchor.position..<old.count).lazy.compactMap { base.position(of: old.row(at: $0)) }.first
    return after ?? (0..<anchor.position).reversed().lazy.compactMap { base.position(of: old.row(at: $0)) }.first
  }
}
