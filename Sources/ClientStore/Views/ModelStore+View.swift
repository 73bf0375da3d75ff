// Reads the view of one object, without a list.

public import ModelTypes
public import WireFormat

extension ModelStore {
  /// The view of one object as it is now; nil if there is no such object.
  ///
  /// The view is derived at each call. What it counts is read from disk each time, unless an open list of views counts
  /// the same. So open a list for many rows. Throws a `StoreError` if something cannot be read.
  public func view<View: ModelView>(_ view: View.Type, of id: ObjectID<View.Object>) throws -> View? {
    try ViewReading(self, nil).view(id)
  }
}
