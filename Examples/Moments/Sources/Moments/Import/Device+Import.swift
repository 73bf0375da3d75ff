// Import: pictures of a source become photos of the user's library, a batch at a time.
import Foundation
import ModelRuntime

/// The progress of an import; at its end, the outcome of every picture.
public struct ImportReport: Sendable {
  public var total = 0
  public var added = 0
  /// Those of the added ones whose date is a guess.
  public var guessed = 0
  /// Pictures that the library had before, or that the source has twice.
  public var known = 0
  public var failed: [(name: String, reason: String)] = []
  /// Files of the source that are no pictures, or none that Moments reads. They do not count in `total`.
  public var leftOut: [LeftOutFile] = []

  public var done: Int { added + known + failed.count }
}

extension Device {
  /// Imports every picture of a source once. Two pictures are the same if the hashes of their bytes are.
  ///
  /// A picture that cannot be read is reported and skipped. Throws if the source or the store's disk fails as a whole.
  public func importPhotos(
    from source: some PhotoSource, progress: (ImportReport) -> Void = { _ in }
  ) async throws -> ImportReport {
    try await importPhotos(source.list(), progress: progress)
  }

  /// Imports what a source has listed.
  public func importPhotos(
    _ list: SourceList, progress: (ImportReport) -> Void = { _ in }
  ) async throws -> ImportReport {
    let library = try library()
    let pictures = list.pictures
    var report = ImportReport(total: pictures.count, leftOut: list.leftOut)
    for start in stride(from: 0, to: pictures.count, by: 64) {
      try Task.checkCancellation()
      var photos: [Photo.ID: Photo] = [:]
      for result in await read(pictures[start..<min(start + 64, pictures.count)], into: library) {
        switch result.photo {
        case .failure(let error): report.failed.append((result.picture.name, error.reason))
        case .success(let photo) where try photos[photo.id] != nil || store.object(photo.id) != nil: report.known += 1
        case .success(let photo): photos[photo.id] = photo
        }
      }
      report.added += photos.count
      report.guessed += photos.values.count(where: \.dateIsGuess)
      store.create(contentsOf: photos.values)
      progress(report)
    }
    try await store.waitUntilSaved()
    return report
  }

  /// The moment that imported pictures go into, shared by the user's devices. Creates it if this device knows of none.
  public func library() throws -> Moment.ID {
    let home = store.homeQueueID
    if let library = try store.object(Library.id(in: home, user: store.user)) { return library.moment }
    let moment = Moment(title: "Library", personal: true)
    store.create(moment)
    store.create(Library(user: store.user, moment: moment.id))
    introduceMyself(in: moment.id)
    return moment.id
  }

  /// Reads as many pictures at once as the machine has cores. Results are in the order of the pictures.
  private func read(_ pictures: ArraySlice<SourcePicture>, into library: Moment.ID) async -> [PictureResult] {
    await withTaskGroup(of: PictureResult.self) { group in
      var results: [PictureResult] = []
      for (position, picture) in zip(pictures.indices, pictures) {
        if position - pictures.startIndex >= ProcessInfo.processInfo.activeProcessorCount,
          let result = await group.next()
        {
          results.append(result)
        }
        group.addTask {
          do {
            let photo = try await self.photo(of: picture, in: library)
            return PictureResult(position: position, picture: picture, photo: .success(photo))
          } catch {
            return PictureResult(position: position, picture: picture, photo: .failure(error))
          }
        }
      }
      for await result in group { results.append(result) }
      return results.sorted { $0.position < $1.position }
    }
  }

  private func photo(of picture: SourcePicture, in library: Moment.ID) async throws -> Photo {
    // Hashes before it copies, because a repeated import finds most pictures known.
    let hash = try await store.files.hash(of: picture.file)
    if let known = try store.object(Photo.id(in: library.queueID, fileHash: hash)) { return known }
    let header = try PictureHeader(picture)
    return Photo(
      moment: library, owner: Member.id(in: library.queueID, user: store.user),
      file: try await store.files.add(from: picture.file, mime: picture.mime),
      takenAt: header.takenAt.time, place: header.place, width: Int32(header.width), height: Int32(header.height),
      utcOffsetMinutes: header.takenAt.utcOffsetMinutes, dateIsGuess: header.dateIsGuess)
  }
}

/// The outcome of one picture. A class, because optimised builds of Swift 6.3.1 trapped after some hundred results of a
/// task group with a tuple of an index and a photo.
private final class PictureResult: Sendable {
  let position: Int
  let picture: SourcePicture
  let photo: Result<Photo, any Error>

  init(position: Int, picture: SourcePicture, photo: Result<Photo, any Error>) {
    (self.position, self.picture, self.photo) = (position, picture, photo)
  }
}
