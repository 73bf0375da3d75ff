// Tests of what a folder lists: pictures and videos, linked folders once, and what is left out.
import Foundation
import SamplePictures
import Testing

@testable import Moments

@Suite struct FolderTests {
  let folder: TemporaryFolder
  private var root: URL { folder.url.appending(path: "pictures") }

  init() throws { folder = try TemporaryFolder() }

  private func link(_ path: String, to target: URL) throws {
    try FileManager.default.createSymbolicLink(at: root.appending(path: path), withDestinationURL: target)
  }

  private func names(_ paths: [String]) -> [String] { paths.map { String($0.dropFirst(root.path.count + 1)) } }

  @Test func linkedFolderIsListedOnce() throws {
    try folder.write(jpeg(shade: 7), "pictures/a.jpg")
    try folder.write(jpeg(shade: 8), "elsewhere/deep/b.jpg")
    try link("first", to: folder.url.appending(path: "elsewhere"))
    try link("second", to: folder.url.appending(path: "elsewhere/deep"))
    let names = names(try PhotoFolder(root).list().pictures.map(\.name))
    #expect(names.count == 2 && names.contains("a.jpg") && names.contains { $0.hasSuffix("b.jpg") })
  }

  @Test func linksInALoopEnd() throws {
    try folder.write(jpeg(shade: 7), "pictures/deep/a.jpg")
    try link("deep/up", to: root)
    try link("deep/self", to: root.appending(path: "deep"))
    #expect(names(try PhotoFolder(root).list().pictures.map(\.name)) == ["deep/a.jpg"])
  }

  @Test func linkedPictureIsListedAndLinkToNothingIsReported() async throws {
    try folder.write(jpeg(shade: 7), "elsewhere/a.jpg")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try link("a.jpg", to: folder.url.appending(path: "elsewhere/a.jpg"))
    try link("gone.jpg", to: folder.url.appending(path: "elsewhere/gone.jpg"))
    try link("round.jpg", to: root.appending(path: "round.jpg"))
    let report = try await folder.device().importPhotos(from: PhotoFolder(root))
    #expect(report.added == 1 && names(report.failed.map(\.name)) == ["gone.jpg", "round.jpg"])
    #expect(report.failed.allSatisfy { $0.reason == "It is a link that leads nowhere." })
  }

  @Test func folderMayItselfBeALink() throws {
    try folder.write(jpeg(shade: 7), "elsewhere/a.jpg")
    try FileManager.default.createSymbolicLink(at: root, withDestinationURL: folder.url.appending(path: "elsewhere"))
    #expect(names(try PhotoFolder(root).list().pictures.map(\.name)) == ["a.jpg"])
  }

  @Test func hiddenFilesAndThumbnailsOfANasAreNotListed() throws {
    for path in ["@eaDir/a.jpg/SYNOPHOTO_THUMB_XL.jpg", ".thumbnails/a.jpg", ".a.jpg", "deep/@eaDir/b.jpg"] {
      try folder.write(jpeg(shade: 7), "pictures/\(path)")
    }
    let list = try PhotoFolder(root).list()
    #expect(list.pictures.isEmpty && list.leftOut.isEmpty)
  }

  @Test func whatIsLeftOutIsNamedByKind() async throws {
    let avif = [0, 0, 0, 24] + Array("ftypavif".utf8)
    let raw = [0, 0, 0, 24] + Array("ftypcrx ".utf8)
    for (path, bytes) in [
      ("a.CR2", Array("II*".utf8)), ("a.cr3", raw), ("b.heif", avif), ("c.gif", [0x47]), ("notes.txt", [0x61]),
      ("without", []),
    ] {
      try folder.write(bytes, "pictures/\(path)")
    }
    try folder.write(jpeg(shade: 7), "pictures/good.jpg")
    let report = try await folder.device().importPhotos(from: PhotoFolder(root))
    #expect(report.added == 1 && report.total == 1 && report.failed.isEmpty)
    let kinds = Dictionary(grouping: report.leftOut, by: \.kind).mapValues { names($0.map(\.name)) }
    #expect(
      kinds == [.raw: ["a.CR2", "a.cr3"], .otherPicture: ["b.heif", "c.gif"], .unknown: ["notes.txt", "without"]])
  }

  @Test(arguments: ["jpg", "png", "webp", "heic"])
  func everyKindIsImportedWithItsDateAndPlace(kind: String) async throws {
    // Bytes say which kind it is, whatever the name.
    try folder.write(smallPicture("dated.\(kind)"), "pictures/a.jpg")
    try folder.write(smallPicture("plain.\(kind)"), "pictures/Screenshot_20260518-091011.\(kind)")
    let device = try folder.device()
    let report = try await device.importPhotos(from: PhotoFolder(root))
    #expect(report.added == 2 && report.guessed == 0)
    let photos = try await device.store.objects(in: Photo.timeline)
    #expect(photos.map(\.takenAt.millisecondsSince1970) == [1_779_095_411_000, 1_779_041_039_000])
    #expect(photos.allSatisfy { $0.file.mime == (kind == "jpg" ? "image/jpeg" : "image/\(kind)") })
    let dated = try #require(photos.last)
    #expect(dated.utcOffsetMinutes == 120 && dated.place == Photo.Place(latitude: 43.5, longitude: 11.5))
    #expect(kind == "heic" ? (dated.width, dated.height) == (48, 32) : (dated.width, dated.height) == (32, 48))
  }

  @Test func whatIsNamedAsAPictureAndIsNoneIsReported() async throws {
    for ending in ["jpg", "png", "webp", "heic"] { try folder.write([1, 2, 3], "pictures/letter.\(ending)") }
    try folder.write([0, 0, 0, 24] + Array("ftyphevc".utf8), "pictures/burst.heic")
    let report = try await folder.device().importPhotos(from: PhotoFolder(root))
    #expect(report.failed.map(\.reason).contains("It is called a WebP, and its bytes are none."))
    #expect(report.failed.count == 4 && names(report.leftOut.map(\.name)) == ["burst.heic"])
  }

  @Test func burstIsInItsOrder() async throws {
    for (number, fraction) in ["9", "05", "123456", "87 "].enumerated() {
      let block = ExifBlock(takenAt: "2026:05:17 18:03:59", more: [ExifField(.exif, 0x9291, .text(fraction))])
      try folder.write(block.inserted(into: jpeg(shade: 7)), "pictures/\(number).jpg")
    }
    let device = try folder.device()
    _ = try await device.importPhotos(from: PhotoFolder(root))
    let photos = try await device.store.objects(in: Photo.inMoment(moment: device.library()))
    #expect(photos.map(\.takenAt.millisecondsSince1970).map { $0 % 1_000 } == [50, 123, 870, 900])
  }

  @Test func videosAreImportedWithTheirDates() async throws {
    try folder.write(Video(createdAt: 0).bytes, "pictures/VID_20260517_180359.MOV")
    try folder.write(Video(createdAt: 0, isQuickTime: false).bytes, "pictures/20260518.mp4")
    try folder.write([1, 2, 3], "pictures/letter.mp4")
    try folder.write(Array(Video().bytes.prefix(40)), "pictures/cut.mp4")
    let device = try folder.device()
    let report = try await device.importPhotos(from: PhotoFolder(root))
    #expect(report.added == 2 && names(report.failed.map(\.name)) == ["cut.mp4", "letter.mp4"])
    let photos = try await device.store.objects(in: Photo.timeline)
    #expect(photos.map(\.file.mime) == ["video/mp4", "video/quicktime"])
    #expect(photos.map(\.takenAt.millisecondsSince1970) == [1_779_105_600_000, 1_779_041_039_000])
    #expect(photos.allSatisfy { $0.width == 1920 && !$0.dateIsGuess })
  }
}
