// Tests of the files that the page's server sends: whole, in ranges, and in forms that browsers show.
import FlyingFox
import FlyingSocks
import Foundation
import ModelRuntime
import Testing

@testable import Moments
@testable import MomentsPage

@Suite struct PageFileTests {
  let folder: TemporaryFolder
  let device: Device
  let routes: RoutedHTTPHandler

  init() throws {
    folder = try TemporaryFolder()
    device = try folder.device()
    var routes = RoutedHTTPHandler()
    Page(device).addPhotoRoutes(to: &routes)
    self.routes = routes
  }

  private func photo(_ bytes: [UInt8], _ mime: String) async throws -> Photo.ID {
    let library = try device.library()
    let file = try await device.store.files.add(from: .bytes(bytes), mime: mime)
    let me = Member.id(in: library.queueID, user: device.store.user)
    let photo = Photo(moment: library, owner: me, file: file, takenAt: .now, width: 1, height: 1)
    device.store.create(photo)
    return photo.id
  }

  private func get(_ path: String, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
    let body = HTTPBodySequence(data: Data())
    return try await routes.handleRequest(
      HTTPRequest(method: .GET, version: .http11, path: path, query: [], headers: headers, body: body))
  }

  private let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test func largeFileIsServedInParts() async throws {
    let video = try await photo(bytes, "video/mp4")
    let answer = try await get("/picture/\(video)")
    #expect(answer.statusCode == .ok && answer.headers[.acceptRanges] == "bytes")
    #expect(try await [UInt8](answer.bodyData) == bytes)
    #expect(try await get("/thumbnail/\(video)").headers[.contentType] == "image/svg+xml", "a film stands for it")
  }

  @Test(
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=100-300099", 100..<300_100), ("bytes=699999-", 699_999..<700_000),
      ("bytes=-500000", 200_000..<700_000), ("bytes=5-99999999", 5..<700_000),
      ("bytes=5-9223372036854775807", 5..<700_000), ("bytes=-9223372036854775807", 0..<700_000),
    ] as [(String, Range<Int>)])
  func rangeIsAnsweredWithPart(field: String, range: Range<Int>) async throws {
    let answer = try await get("/picture/\(photo(bytes, "video/mp4"))", [.range: field])
    #expect(answer.statusCode == .partialContent && answer.headers[.contentType] == "video/mp4")
    #expect(answer.headers[.contentRange] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/700000")
    #expect(try await [UInt8](answer.bodyData) == Array(bytes[range]))
  }

  @Test(arguments: ["bytes=700000-", "bytes=700000-700001", "bytes=9223372036854775807-", "bytes=-0"])
  func rangeBeyondTheEndIsRefused(field: String) async throws {
    let answer = try await get("/picture/\(photo(bytes, "video/mp4"))", [.range: field])
    #expect(answer.statusCode == .rangeNotSatisfiable && answer.headers[.contentRange] == "bytes */700000")
  }

  @Test(arguments: [
    "bytes=0-1,5-6", "bytes=5-4", "bytes=-", "bytes=a-b", "items=0-1", "", "bytes=0-99999999999999999999", "bytes=--5",
  ])
  func otherRangesAreAnsweredWithTheWhole(field: String) {
    #expect(ByteRange(field, size: 700_000) == .whole)
  }

  @Test func emptyFileHasNoParts() {
    #expect(ByteRange("bytes=0-", size: 0) == .beyondEnd && ByteRange("bytes=-1", size: 0) == .beyondEnd)
  }

  @Test func conditionalRangeIsAnsweredWithTheWhole() async throws {
    let answer = try await get(
      "/picture/\(photo(bytes, "video/mp4"))", [.range: "bytes=0-1", HTTPHeader("If-Range"): "\"a\""])
    #expect(answer.statusCode == .ok)
  }

  @Test(arguments: [
    ("video/mp4", "video/mp4"), ("image/png", "image/png"), ("image/webp", "image/webp"), ("text/html", "image/jpeg"),
    ("image/svg+xml", "image/jpeg"),
  ])
  func onlyHarmlessTypesAreToldTheBrowser(mime: String, told: String) async throws {
    #expect(try await get("/picture/\(photo(Array(mime.utf8), mime))").headers[.contentType] == told)
  }

  @Test func heicIsShownAsJPEG() async throws {
    let answer = try await get("/picture/\(photo(smallPicture("plain.heic"), "image/heic"))")
    let shown = try ShownPicture(await [UInt8](answer.bodyData))
    #expect(answer.headers[.contentType] == "image/jpeg" && shown.width == 48 && shown.colour(14, 24) == .red)
  }

  @Test(arguments: ["jpg", "png", "webp", "heic"]) func everyKindHasThumbnail(kind: String) async throws {
    let answer = try await get("/thumbnail/\(photo(smallPicture("dated.\(kind)"), "image/\(kind)"))")
    #expect(answer.headers[.contentType] == "image/jpeg")
    #expect(try ShownPicture(await [UInt8](answer.bodyData)).colour(38, 28) != .green)
  }
}
