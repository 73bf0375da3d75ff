// What the user did, in words: never the name of an operation, and never a code.
import ModelRuntime
import Moments

/// An operation as a person would tell it, with the photo and the person that it concerns.
struct Deed: Encodable {
  var text: String
  var photo: Photo.ID?
  var person: String?
}

extension Page {
  /// What did not happen.
  func deed(_ item: AttentionItem) -> Deed {
    var deed = deed(item.name, item.changes)
    if let share = Moment.Share(item) {
      deed.person = name(of: share.recipient)
      deed.text = "Share \(counted(share.photos.count))\(deed.person.map { " with \($0)" } ?? "")"
      deed.photo = share.photos.first { (try? store.object($0)) != nil }
    } else if let rename = Photo.Rename(item) {
      deed.text = rename.caption.map { "Give a photo the caption “\($0)”" } ?? "Remove a photo's caption"
    } else if let label = Photo.Label(item) {
      deed.text = "Add the tag “\(label.tag)”"
    } else if let unlabel = Photo.Unlabel(item) {
      deed.text = "Remove the tag “\(unlabel.tag)”"
    }
    return deed
  }

  /// What waits to be sent.
  func deed(_ item: OutboxItem) -> Deed { deed(item.name, item.changes) }

  private func deed(_ name: String, _ changes: OperationChanges) -> Deed {
    let photos = changes.objects.lazy.map { Photo.ID($0.object) }
    let photo = name.hasPrefix("photo.") ? photos.first { (try? self.store.object($0)) != nil } : nil
    let owner = photo.flatMap { try? store.object($0) }.flatMap { try? store.object($0.owner) }
    let text = name == "moment.share" ? "Share \(counted(changes.files.count))" : Self.deeds[name] ?? "Change something"
    return Deed(text: text, photo: photo, person: owner?.user == store.user ? nil : owner?.name)
  }

  private func counted(_ photos: Int) -> String { photos == 1 ? "1 photo" : "\(photos) photos" }

  private static let deeds = [
    "photo.create": "Add a photo", "photo.hide": "Hide a photo", "photo.show": "Put a hidden photo back",
    "photo.like": "Like a photo", "photo.unlike": "Take a like back", "photo.rename": "Change a photo's caption",
    "photo.label": "Add a tag to a photo", "photo.unlabel": "Remove a tag from a photo",
    "moment.create": "Make a moment", "member.create": "Tell others in a moment your name",
    "library.create": "Set up your library", "notification.markRead": "Mark news as read",
  ]
}

extension StoreError {
  /// Why something did not happen and what to do, for somebody who knows neither store nor server.
  var words: String {
    switch code {
    case .forbidden: "You may not do this here. The owner of the moment can change that."
    case .noEffect: "It is not there any more; somebody has deleted it."
    case .conditionFailed: "Somebody else was faster. Look at it as it is now, and do it again if you still want to."
    case .revoked: "You are not in this moment any more. Ask its owner to share it with you again."
    case .ended: "The moment was deleted, and everything in it."
    case .dependency: "Something that it builds on did not happen."
    case .diskFull: "This device's disk is full. Make room, and do it again."
    case .unknownOutcome: "Nobody knows any more whether it happened. Look, and do it again if it did not."
    case .cancelled: "It was taken back."
    default: "The server did not take it. Do it again; if that does not help, ask whoever runs the server."
    }
  }
}
