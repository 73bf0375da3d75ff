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
  /// What did not happen. Its parameters say more than its changes, which may never have been worked out.
  func deed(_ item: FailedOperation) -> Deed {
    var deed = deed(item.name, item.objects, files: item.files.count)
    if let share = Moment.Share(item) {
      deed = shareDeed(share.photos.count, with: share.recipient, showing: share.photos.first)
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
  func deed(_ item: PendingOperation) -> Deed { deed(item.name, item.objects, files: item.files.count) }

  private func deed(_ name: String, _ objects: [UUIDValue], files: Int) -> Deed {
    let text = Self.deeds[name] ?? "Change something"
    guard let first = objects.first else { return Deed(text: text) }
    if name == "moment.share" {
      let news = objects.lazy.compactMap { try? self.store.object(MomentNotification.ID($0)) }.first
      return shareDeed(files, with: news?.recipient, showing: news?.photos.first)
    }
    if name == "moment.create", let moment = try? store.object(Moment.ID(first)) {
      return Deed(text: "Make the moment “\(moment.title)”", photo: moment.cover)
    }
    guard name.hasPrefix("photo."), let photo = try? store.object(Photo.ID(first)) else { return Deed(text: text) }
    let owner = try? store.object(photo.owner)
    return Deed(text: text, photo: photo.id, person: owner?.user == store.user ? nil : owner?.name)
  }

  private func shareDeed(_ count: Int, with user: UserID?, showing photo: Photo.ID?) -> Deed {
    let person = user.flatMap { name(of: $0) }
    // A copy that did not come about has no picture.
    let photo = photo.flatMap { (try? store.object($0))?.id }
    return Deed(text: "Share \(counted(count))\(person.map { " with \($0)" } ?? "")", photo: photo, person: person)
  }

  private func counted(_ photos: Int) -> String { photos == 1 ? "1 photo" : "\(photos) photos" }

  private static let deeds = [
    "photo.create": "Add a photo", "photo.hide": "Hide a photo", "photo.show": "Put a hidden photo back",
    "photo.like": "Like a photo", "photo.unlike": "Take a like back", "photo.rename": "Change a photo's caption",
    "photo.correctDate": "Correct a photo's date",
    "photo.label": "Add a tag to a photo", "photo.unlabel": "Remove a tag from a photo",
    "moment.create": "Make a moment", "member.create": "Say who you are in a moment",
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
    case .membershipLost:
      "The server was restored, and does not know you in this moment. Ask its owner to share it again, then try again."
    case .ended: "The moment was deleted, and everything in it."
    case .dependency: "Something that it builds on did not happen."
    case .diskFull: "This device's disk is full. Make room, and do it again."
    case .unknownOutcome: "Nobody knows any more whether it happened. Look, and do it again if it did not."
    case .cancelled: "It was taken back."
    default: "The server did not take it. Do it again; if that does not help, ask whoever runs the server."
    }
  }
}
