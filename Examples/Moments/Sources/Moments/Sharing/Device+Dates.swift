// Corrects the date of a picture together with its copies, as hiding does.
import ModelRuntime

extension Device {
  /// Says when a picture was taken: the photo, and its copies in the user's other moments. Without an offset each keeps
  /// the one that it has.
  public func correctDate(of id: Photo.ID, to date: LocalTime) throws {
    for copy in try copies(of: id) {
      let offset = date.utcOffsetMinutes ?? copy.utcOffsetMinutes
      store.perform(Photo.CorrectDate(copy.id, takenAt: date.time, utcOffsetMinutes: offset))
    }
  }
}
