// One view, of an object that is in no list.

public import ModelTypes
public import WireFormat

extension ModelStore {
  /// The view of one object as it is now; nil where the object is not there.
  ///
  /// It is derived each time. Where a view counts, and no list has the counted objects open, what was read so far counts:
  /// open a list for such a view.
  public func view<View: ModelView>(_ view: View.Type, of id: ObjectID<View.Object>) throws -> View? {
    let reading = ViewReading(self, ViewShare {})
    return try reading.object(id).map { try View(of: $0, from: reading) }
  }
}
