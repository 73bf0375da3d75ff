// Reads the view of one object, without a list.

public import ModelTypes
public import WireFormat

extension ModelStore {
  /// The view of one object as it is now; nil if there is no such object.
  ///
  /// The view is derived at each call. A count may be too small if no list has the counted objects open, because only
  /// those that were read so far are counted. Open a list for such a view.
  public func view<View: ModelView>(_ view: View.Type, of id: ObjectID<View.Object>) throws -> View? {
    let reading = ViewReading(self, ViewShare {})
    return try reading.object(id).map { try View(of: $0, from: reading) }
  }
}
