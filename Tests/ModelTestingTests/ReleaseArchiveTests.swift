// What releases of our own schema have written is read by every later version, of the schema and of our formats.

import Foundation
import ModelRuntime
import MomentsModels
import TestSupport
import Testing

@testable import ModelTesting

@Suite struct ReleaseArchiveTests {
  /// What users of Moments do, with every model and operation of it.
  private static func perform(_ anna: PreviewDevice) async throws {
    let moment = Moment(title: "Hut to hut")
    anna.store.create(moment)
    let file = try await anna.store.files.add(from: .bytes([1, 2, 3]), name: "summit.jpg")
    let photos = (1...3).map { number in
      Photo(moment: moment.id, owner: .zero, file: file, takenAt: Timestamp(millisecondsSince1970: number))
    }
    for photo in photos {
      anna.store.create(photo)
      anna.store.perform(Photo.Label(photo.id, tag: "summit"))
    }
    let ben = UserID(subject: "ben", issuer: nil)
    anna.store.perform(Moment.Share(moment.id, photos: [photos[0].id], recipient: ben))
    anna.store.update(moment.id) { $0.title = "Loop" }
  }

  /// **Each folder here is what people may have on their devices and servers.** One that cannot be read any more needs a
  /// migration, and not another recording. (Until 0.1.0 is out nobody has one: delete the folder, and run the test.)
  @Test func everyReleaseOfMomentsIsRead() async throws {
    let releases = try await ReleaseArchive(
      MomentsSchema.self, folder: Repository.url("Tests/ModelTestingTests/Moments").path
    )
    .check(Self.perform)
    #expect(releases.contains("0.1"))
  }

  @Test func releaseIsAddedOnceAndAWorkInProgressNever() async throws {
    let folder = try TemporaryFolder()
    for release in [nil, "2", "1.10", "1.10"] {
      let archive = ReleaseArchive(MomentsSchema.self, folder: folder.url("Releases"), release: release)
      _ = try await archive.check(Self.perform)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("Releases").path).sorted()
    #expect(names == ["1.10", "2"])
    let database = folder.url("Releases/2/server.sqlite")
    let before = try Data(contentsOf: database)
    let archive = ReleaseArchive(MomentsSchema.self, folder: folder.url("Releases"), release: "2")
    #expect(try await archive.check { _ in Issue.record("it is there already") } == ["1.10", "2"])
    #expect(try Data(contentsOf: database) == before, "a check changes nothing in the folder")
  }

  /// A schema that has lost a model, or an object, is not read as it should.
  @Test func whatIsMissingIsNamed() async throws {
    let folder = try TemporaryFolder()
    let archive = ReleaseArchive(MomentsSchema.self, folder: folder.url("Releases"), release: "1")
    _ = try await archive.check(Self.perform)
    let contents = folder.url("Releases/1/contents.json")
    let text = try String(contentsOf: contents, encoding: .utf8)
    for (found, wrong, reason) in [
      ("\"photo\" : 2", "\"photo\" : 3", "it has 2 objects of photo, and had 3"),
      ("\"pending\" : ", "\"pending\" : 9", "operations pending, and had 9"),
    ] {
      #expect(text.contains(found), "\(text)")
      try text.replacing(found, with: wrong).write(to: contents, atomically: true, encoding: .utf8)
      await #expect { _ = try await archive.check(Self.perform) } throws: { error in
        (error as? ReleaseError).map { $0.release == "1" && $0.reason.contains(reason) } ?? false
      }
    }
    try text.write(to: contents, atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(at: folder.url("Releases/1/server.sqlite"))
    await #expect(throws: ReleaseError.self) { _ = try await archive.check(Self.perform) }
  }

  @Test func codeThatFailsAddsNothing() async throws {
    let folder = try TemporaryFolder()
    let archive = ReleaseArchive(MomentsSchema.self, folder: folder.url("Releases"), release: "1")
    await #expect(throws: ReleaseError.self) {
      // There is no such photo.
      _ = try await archive.check { $0.store.perform(Photo.Label(Photo.ID(.zero), tag: "summit")) }
    }
    #expect(
      try await ReleaseArchive(MomentsSchema.self, folder: folder.url("Releases"), release: nil).check { _ in } == [])
  }
}
