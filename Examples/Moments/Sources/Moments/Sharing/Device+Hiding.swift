// Hides a picture together with its copies. Sharing makes a copy in another moment.
import ModelRuntime

extension Device {
  /// Takes a picture out of the timeline, or puts it back: the photo, and its copies in the user's other moments.
  public func hide(_ id: Photo.ID, _ hidden: Bool = true) throws {
    guard let photo = try store.object(id) else { return }
    let copies = try store.objects(Moment.self).map { Photo.id(in: $0.id.queueID, fileHash: photo.file.hash) }
    for copy in copies where try store.object(copy).map({ $0.hidden != hidden }) ?? false {
      if hidden { store.perform(Photo.Hide(copy)) } else { store.perform(Photo.Show(copy)) }
    }
  }
}
