// Hides a picture together with its copies. Sharing makes a copy in another moment.
import ModelRuntime

extension Device {
  /// Takes a picture out of the timeline, or puts it back: the photo, and its copies in the user's other moments.
  public func hide(_ id: Photo.ID, _ hidden: Bool = true) throws {
    for copy in try copies(of: id) where copy.hidden != hidden {
      if hidden { store.perform(Photo.Hide(copy.id)) } else { store.perform(Photo.Show(copy.id)) }
    }
  }

  /// The photo, and the same picture in the user's other moments.
  func copies(of id: Photo.ID) throws -> [Photo] {
    guard let photo = try store.object(id) else { return [] }
    return try store.objects(Moment.self).compactMap {
      try store.object(Photo.id(in: $0.id.queueID, fileHash: photo.file.hash))
    }
  }
}
