// Tests that an import takes every picture once, whatever else is in the folder.
import Foundation
import ModelRuntime
import SamplePictures
import Testing

@testable import Moments

@Suite struct ImportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var pictures: PhotoFolder { PhotoFolder(folder.url.appending(path: "pictures")) }

  @Test func aSecondImportAddsNothing() async throws {
    for shade in 1...5 as ClosedRange<UInt8> { try folder.write(jpeg(shade: shade * 40), "pictures/\(shade).jpg") }
    let device = try folder.device()
    let first = try await device.importPhotos(from: pictures)
    #expect(first.added == 5 && first.known == 0)
    let second = try await device.importPhotos(from: pictures)
    #expect(second.added == 0 && second.known == 5)
    #expect(try device.store.objects(Photo.self).count == 5)
  }

  @Test func aSecondImportCopiesNothing() async throws {
    for shade in 1...5 as ClosedRange<UInt8> { try folder.write(jpeg(shade: shade * 40), "pictures/\(shade).jpg") }
    let device = try folder.device()
    _ = try await device.importPhotos(from: pictures)
    let files = folder.url.appending(path: "store-anna/files")
    let before = try FileManager.default.subpathsOfDirectory(atPath: files.path).sorted()
    _ = try await device.importPhotos(from: pictures)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: files.path).sorted() == before)
  }

  @Test func importsPictureInSeveralFoldersOnce() async throws {
    for path in ["a.jpg", "deep/down/b.JPEG", "without-ending"] { try folder.write(jpeg(shade: 7), "pictures/\(path)") }
    let report = try await folder.device().importPhotos(from: pictures)
    #expect(report.added == 1 && report.known == 2)
  }

  @Test func brokenPicturesAreListedAndOtherFilesAreNot() async throws {
    try folder.write(jpeg(shade: 7), "pictures/good.jpg")
    try folder.write([0xFF, 0xD8, 0xFF], "pictures/cut.jpg")
    try folder.write([0xFF, 0xD8] + [UInt8](repeating: 0x20, count: 5_000), "pictures/noise.jpg")
    try folder.write([], "pictures/empty.jpg")
    try folder.write(Array("a picture, honestly".utf8), "pictures/letter.jpg")
    try folder.write(Array("a list of things to do".utf8), "pictures/notes.txt")
    let report = try await folder.device().importPhotos(from: pictures)
    #expect(report.added == 1)
    #expect(
      report.failed.map { URL(filePath: $0.name).lastPathComponent } == [
        "cut.jpg", "empty.jpg", "letter.jpg", "noise.jpg",
      ])
    #expect(report.failed.allSatisfy { !$0.reason.isEmpty })
  }

  // Other systems do not accept such a name.
  #if os(Linux)
    @Test func aNameThatIsNotUTF8IsListed() async throws {
      try folder.write(jpeg(shade: 7), "pictures/good.jpg")
      let name = Array("\(folder.url.path)/pictures/bad".utf8CString.dropLast()) + [-1, 0]
      let file = try #require(fopen(name, "w"))
      fclose(file)
      let report = try await folder.device().importPhotos(from: pictures)
      #expect(report.added == 1 && report.total == 2)
      #expect(report.failed.map(\.reason) == ["Its path is not UTF-8; give it another name."])
    }
  #endif

  @Test(.enabled(if: geteuid() != 0, "root may read every folder")) func aFolderThatMayNotBeReadIsListed() async throws
  {
    try folder.write(jpeg(shade: 7), "pictures/good.jpg")
    try folder.write(jpeg(shade: 8), "pictures/locked/bad.jpg")
    let locked = folder.url.appending(path: "pictures/locked").path
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: locked) }
    let report = try await folder.device().importPhotos(from: pictures)
    #expect(report.added == 1 && report.failed.map(\.name) == [locked])
    #expect(report.failed.allSatisfy { $0.reason.hasPrefix("The folder cannot be read") })
  }

  @Test func photoTakesItsFieldsFromExif() async throws {
    let block = ExifBlock(takenAt: "2026:05:17 18:03:19", offset: "+02:00", orientation: 6, place: (43.4645, 11.8815))
    try folder.write(block.inserted(into: jpeg(shade: 7)), "pictures/a.jpg")
    let device = try folder.device()
    _ = try await device.importPhotos(from: pictures)
    let photo = try #require(try device.store.objects(Photo.self).first)
    #expect(photo.takenAt == Timestamp(millisecondsSince1970: 1_779_040_999_000) && photo.utcOffsetMinutes == 120)
    #expect(photo.width == 24 && photo.height == 32, "as it is seen, upright")
    #expect(abs(try #require(photo.place).latitude - 43.4645) < 0.00001)
    #expect(photo.file.mime == "image/jpeg" && photo.file.name == "a.jpg")
    #expect(try device.store.object(photo.owner)?.name == "anna")
  }

  @Test func libraryStaysTheSameAfterReopening() async throws {
    let library = try await {
      let device = try folder.device()
      let library = try device.library()
      #expect(try device.library() == library)
      try await device.store.close()
      return library
    }()
    #expect(try folder.device().library() == library)
  }

  @Test func importOfMissingFolderFails() async throws {
    await #expect(throws: ImportError.self) { try await folder.device().importPhotos(from: pictures) }
  }

  @Test func theProgressReachesTheEnd() async throws {
    for shade in 0..<100 as Range<UInt8> { try folder.write(jpeg(shade: shade), "pictures/\(shade).jpg") }
    var steps: [Int] = []
    let report = try await folder.device().importPhotos(from: pictures) { steps.append($0.done) }
    #expect(steps == [64, 100] && report.total == 100)
  }
}
