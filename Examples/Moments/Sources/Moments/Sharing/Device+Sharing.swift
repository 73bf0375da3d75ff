// Shares photos by copying them into a moment that a friend sees too.
import ModelRuntime

extension Device {
  /// Copies photos into the moment with this title, creates the moment if there is none, and invites a friend to it.
  ///
  /// The user sees everything at once. The friend is told once the photos are uploaded, because the schema says
  /// `requires: uploaded(…)`.
  @discardableResult
  public func share(_ photos: [Photo.ID], with friend: UserID, inMomentTitled title: String) throws -> Moment.ID {
    let shared = try photos.compactMap { try store.object($0) }
    let moment = try moment(titled: title, of: shared)
    let copies = shared.map { $0.copy(in: moment, owner: store.user) }
    store.create(contentsOf: copies)
    store.perform(Moment.Share(moment, photos: copies.map(\.id), recipient: friend))
    return moment
  }

  private func moment(titled title: String, of photos: [Photo]) throws -> Moment.ID {
    let known = try store.objects(Moment.self).first { !$0.personal && $0.title == title }
    if let known { return known.id }
    let first = photos.min { $0.takenAt < $1.takenAt }
    var moment = Moment(title: title, startsAt: first?.takenAt)
    moment.cover = first.map { $0.copy(in: moment.id, owner: store.user).id }
    store.create(moment)
    introduceMyself(in: moment.id)
    return moment.id
  }
}

extension Photo {
  /// A new photo in another moment, with the same file.
  fileprivate func copy(in moment: Moment.ID, owner: UserID) -> Photo {
    Photo(
      moment: moment, owner: Member.id(in: moment.queueID, user: owner), file: file, takenAt: takenAt, caption: caption,
      tags: tags, place: place, width: width, height: height, utcOffsetMinutes: utcOffsetMinutes,
      dateIsGuess: dateIsGuess)
  }
}
