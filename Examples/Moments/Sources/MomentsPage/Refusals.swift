// Uploads that do not go on: which pictures, why, and what the user can do.
import Foundation
import ModelRuntime
import Moments

/// A picture that is on this device, and that the server does not take.
struct Refusal: Encodable, Sendable {
  var photo: Photo.ID
  var name: String
  var reason: String
  var remedy: String

  /// Nil for photos whose upload goes on by itself.
  init?(_ photo: Photo, in files: StoreFiles) {
    guard case .failed(let error) = files.status(of: photo.file, in: photo.queueID),
      let words = error.refusal, error.code == .lost || files.url(of: photo.file) != nil
    else { return nil }
    (self.photo, name) = (photo.id, photo.caption ?? photo.file.name)
    (reason, remedy) = words
  }
}

extension FileError {
  /// The reason and the remedy; nil where the device only has to try again.
  var refusal: (reason: String, remedy: String)? {
    switch code {
    case .quota:
      ("There is no room left for it on the server.", "Ask whoever runs the server for more; then it goes by itself.")
    case .tooLarge: ("The server takes no files of this size.", "Import a smaller copy of the picture.")
    case .forbidden: ("You may not add pictures to this moment.", "Ask the owner of the moment.")
    case .lost: ("The picture is not on this device any more.", "Import it again.")
    case .disk: ("This device's disk is full, or fails.", "Make room; then it goes by itself.")
    case .source, .unreachable, .absent, .wrongBytes, .variant, .ended: nil
    }
  }
}

/// The refused uploads of a store, each picture once although it may be in several moments.
actor Refusals {
  private let store: ModelStore
  private let clock = ContinuousClock()
  private var known: [Refusal] = []
  private var nextScan: ContinuousClock.Instant?

  init(_ store: ModelStore) {
    self.store = store
  }

  /// Reads every photo where an upload has failed. A large library is read again only after ten times as long as
  /// that took.
  func current() throws -> [Refusal] {
    if store.files.progress.failed == 0 {
      (known, nextScan) = ([], nil)
    } else if nextScan.map({ $0 <= clock.now }) ?? true {
      let start = clock.now
      known = try scan()
      nextScan = clock.now + (clock.now - start) * 10
    }
    return known
  }

  private func scan() throws -> [Refusal] {
    var seen: Set<ContentHash> = []
    return try store.objects(Photo.self, orderedBy: .descending(\.takenAt)).compactMap { photo in
      guard let refusal = Refusal(photo, in: store.files), seen.insert(photo.file.hash).inserted else { return nil }
      return refusal
    }
  }
}
