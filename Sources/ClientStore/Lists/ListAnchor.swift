// An anchor: the row that stays where it is on the screen while the list changes around it.

public import ModelTypes
import Snapshots

/// An object of a list that a view keeps in its place. It keeps the snapshot that it was made of.
public struct ListAnchor<Object: Model, Section: ListSection>: Sendable {
  let snapshot: Snapshot
  let position: Int
}

extension ListSnapshot {
  /// Of the object at a position, which must be there.
  public func anchor(at position: Int) -> ListAnchor<Object, Section> {
    precondition(position >= 0 && position < count, "position \(position) of \(count)")
    return ListAnchor(snapshot: base, position: position)
  }

  /// Where the anchor's object is now. Where it is gone, what stands in its place: the next one that came after it and
  /// is still there, else the last one that came before. Nil where none of them is left.
  ///
  /// The anchor must be of a list of the same store. Costs as much as objects beside it are gone.
  public func position(of anchor: ListAnchor<Object, Section>) -> Int? {
    let old = anchor.snapshot
    precondition(old.layout.rows === base.layout.rows, "the anchor is of another store")
    let after = (anchor.position..<old.count).lazy.compactMap { base.position(of: old.row(at: $0)) }.first
    return after ?? (0..<anchor.position).reversed().lazy.compactMap { base.position(of: old.row(at: $0)) }.first
  }
}
