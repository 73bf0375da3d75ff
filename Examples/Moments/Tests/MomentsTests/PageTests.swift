// Tests of the page's server: windows of the timeline, and what its user does.
import FlyingFox
import FlyingSocks
import Foundation
import ModelRuntime
import SamplePictures
import Testing

@testable import Moments
@testable import MomentsPage

@Suite struct PageTests {
  let folder: TemporaryFolder
  let device: Device
  let routes: RoutedHTTPHandler

  /// Creates 30 photos of one day and 20 of an earlier one, the newest first.
  init() throws {
    folder = try TemporaryFolder()
    device = try folder.device()
    let library = try device.library()
    let me = Member.id(in: library.queueID, user: device.store.user)
    for number in 0..<50 as Range<UInt64> {
      let day: Int64 = number < 30 ? 1_780_000_000_000 : 1_779_000_000_000
      let file = FileReference(hash: ContentHash(words: (number, 1, 1, 1)), size: 1, mime: "image/jpeg", name: "a.jpg")
      device.store.create(
        Photo(
          moment: library, owner: me, file: file, takenAt: Timestamp(millisecondsSince1970: day - Int64(number)),
          width: 3,
          height: 2))
    }
    let page = Page(device)
    var routes = RoutedHTTPHandler()
    page.addPhotoRoutes(to: &routes)
    page.addMomentRoutes(to: &routes)
    page.addStatusRoutes(to: &routes)
    self.routes = routes
  }

  private func request(_ target: String, _ method: HTTPMethod = .GET, body: String = "{}") -> HTTPRequest {
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { item in
      let pair = item.split(separator: "=")
      return HTTPRequest.QueryItem(name: String(pair[0]), value: String(pair[1]))
    }
    return HTTPRequest(
      method: method, version: .http11, path: String(parts[0]), query: query, headers: [:], body: Data(body.utf8))
  }

  private func json(_ target: String, _ method: HTTPMethod = .GET, body: String = "{}") async throws -> [String: Any] {
    let answer = try await routes.handleRequest(request(target, method, body: body))
    return try #require(try JSONSerialization.jsonObject(with: await answer.bodyData) as? [String: Any])
  }

  private func rows(_ target: String) async throws -> [[String: Any]] {
    try #require(try await json(target)["rows"] as? [[String: Any]])
  }

  private func photo(at position: Int) async throws -> String {
    let row = try #require(try await rows("/grid/timeline/rows?from=\(position)&count=1").first)
    return try #require((row["photo"] as? [String: Any])?["id"] as? String)
  }

  @Test func theLayoutCountsSections() async throws {
    let layout = try await json("/grid/timeline/layout")
    #expect(layout["count"] as? Int == 50)
    #expect((layout["sections"] as? [[String: Any]])?.compactMap { $0["count"] as? Int } == [30, 20])
  }

  @Test(arguments: [(0, 10, 10), (45, 10, 5), (50, 10, 0), (1_000_000, 1, 0), (0, 1_000, 50)])
  func aWindowEndsWhereTheListEnds(from: Int, count: Int, found: Int) async throws {
    #expect(try await rows("/grid/timeline/rows?from=\(from)&count=\(count)").count == found)
  }

  @Test(arguments: [
    "from=-1&count=5", "from=0&count=0", "from=0&count=1001", "from=0", "from=9223372036854775807&count=9",
  ])
  func refusesInvalidWindow(query: String) async throws {
    await #expect(throws: PageError.self) {
      _ = try await routes.handleRequest(request("/grid/timeline/rows?\(query)"))
    }
  }

  @Test func aHiddenPhotoLeavesTheWindow() async throws {
    let id = try await photo(at: 3)
    _ = try await json("/photo/\(id)/hide", .POST)
    #expect(try await json("/grid/timeline/layout")["count"] as? Int == 49)
    #expect(try await photo(at: 3) != id)
    #expect(try await json("/grid/timeline/position/\(id)")["position"] == nil)
    _ = try await json("/photo/\(id)/show", .POST)
    #expect(try await photo(at: 3) == id)
    #expect(try await json("/grid/timeline/position/\(id)")["position"] as? Int == 3)
  }

  @Test func idsOfManyPositionsAreThoseOfTheRows() async throws {
    let answer = try await routes.handleRequest(request("/grid/timeline/ids?from=25&count=100"))
    let ids = try #require(try JSONSerialization.jsonObject(with: await answer.bodyData) as? [String])
    #expect(ids.count == 25)
    let ends = [try await photo(at: 25), try await photo(at: 49)]
    #expect(ends == [ids.first, ids.last])
  }

  @Test func editsShowAtOnceAsPending() async throws {
    let id = try await photo(at: 0)
    _ = try await json("/photo/\(id)/tag", .POST, body: #"{"text": " lake "}"#)
    let page = try await json("/photo/\(id)/caption", .POST, body: #"{"text": "Summit"}"#)
    let photo = try #require(page["photo"] as? [String: Any])
    #expect(photo["caption"] as? String == "Summit" && photo["tags"] as? [String] == ["lake"])
    #expect(page["isPending"] as? Bool == true)
  }

  @Test func sharingMakesAMoment() async throws {
    let body =
      #"{"photos": ["\#(try await photo(at: 0))", "\#(try await photo(at: 1))"], "friend": "ben", "title": "Alps"}"#
    _ = try await routes.handleRequest(request("/share", .POST, body: body))
    let moment = try #require(try device.store.objects(Moment.self).first { $0.title == "Alps" })
    #expect(try await json("/grid/\(moment.id)/layout")["count"] as? Int == 2)
    #expect(try await json("/grid/timeline/layout")["count"] as? Int == 50, "the same picture is one photo")
  }

  @Test func aMomentSaysWhoHasNotSeenItYet() async throws {
    let body = #"{"photos": ["\#(try await photo(at: 0))"], "friend": "ben", "title": "Alps"}"#
    _ = try await routes.handleRequest(request("/share", .POST, body: body))
    let moment = try #require(try device.store.objects(Moment.self).first { $0.title == "Alps" })
    let page = try await json("/moment/\(moment.id)")
    #expect(page["title"] as? String == "Alps" && page["invited"] as? [String] == ["ben"])
    device.store.create(Member(moment: moment.id, user: Device.user(named: "ben"), name: "Ben B."))
    let later = try await json("/moment/\(moment.id)")
    #expect(later["members"] as? [String] == ["Ben B."] && later["invited"] as? [String] == [])
  }

  @Test func sharingWithOneselfIsRefused() async throws {
    let body = #"{"photos": ["\#(try await photo(at: 0))"], "friend": " \#(device.name) ", "title": "Alps"}"#
    let operations = device.store.pendingOperations.count
    await #expect { _ = try await routes.handleRequest(request("/share", .POST, body: body)) } throws: {
      ($0 as? PageError)?.message.contains("your own name") == true
    }
    #expect(device.store.pendingOperations.count == operations)
  }

  @Test func whatWaitsIsToldInWords() async throws {
    let id = try await photo(at: 0)
    _ = try await routes.handleRequest(
      request("/share", .POST, body: #"{"photos": ["\#(id)"], "friend": "ben", "title": "Alps"}"#))
    _ = try await json("/photo/\(id)/like", .POST)
    let page = Page(device)
    _ = page.user(named: "ben")
    let deeds = device.store.pendingOperations.map { page.deed($0) }
    let share = try #require(deeds.first { $0.text == "Share 1 photo with ben" })
    #expect(share.photo != nil && share.person == "ben")
    #expect(deeds.contains { $0.text == "Like a photo" && $0.photo == Photo.ID(id) })
    #expect(deeds.contains { $0.text == "Make the moment “Alps”" && $0.photo == share.photo })
    #expect(deeds.allSatisfy { !$0.text.contains(".") && $0.text != "Change something" })
  }

  @Test(arguments: [FileError.Code.quota, .tooLarge, .forbidden, .lost, .disk])
  func aRefusedUploadHasAReasonAndARemedy(code: FileError.Code) throws {
    let words = try #require(FileError(code, "The server answered \(code).").refusal)
    #expect(words.reason.hasSuffix(".") && words.remedy.hasSuffix("."))
    #expect(!words.reason.contains("answered"))
  }

  @Test(arguments: [FileError.Code.unreachable, .absent, .ended]) func whatIsTriedAgainIsNoRefusal(code: FileError.Code)
  {
    #expect(FileError(code, "").refusal == nil)
  }

  @Test(arguments: ["0", "photo", ""]) func sharingUnknownPhotoChangesNothing(unknown: String) async throws {
    let body = #"{"photos": ["\#(try await photo(at: 0))", "\#(unknown)"], "friend": "ben", "title": "Alps"}"#
    let operations = device.store.pendingOperations.count
    await #expect { _ = try await routes.handleRequest(request("/share", .POST, body: body)) } throws: {
      ($0 as? PageError)?.status == .notFound
    }
    #expect(device.store.pendingOperations.count == operations)
  }

  @Test(arguments: [("caption", 2_000), ("tag", 100)]) func aTextThatIsTooLongIsRefused(action: String, most: Int)
    async throws
  {
    let target = "/photo/\(try await photo(at: 0))/\(action)"
    let operations = device.store.pendingOperations.count
    let tooLong = String(repeating: "é", count: most + 1)
    await #expect {
      _ = try await routes.handleRequest(request(target, .POST, body: #"{"text": "\#(tooLong)"}"#))
    } throws: {
      ($0 as? PageError)?.status == .badRequest
    }
    #expect(device.store.pendingOperations.count == operations)
    _ = try await json(target, .POST, body: #"{"text": "\#(tooLong.dropLast())"}"#)
    #expect(device.store.pendingOperations.count == operations + 1)
  }

  @Test(
    arguments: [
      ("2026-05-17T23:50", 1_779_061_800_000, 120), ("2026-05-17T23:50:01.5", 1_779_061_801_500, 120),
      (" 2026-05-17 23:50:01 -09:30 ", 1_779_061_801_000, -570),
    ] as [(String, Int64, Int32)])
  func correctedDateMovesPhotoAndItsCopy(text: String, milliseconds: Int64, offset: Int32) async throws {
    let old = try #require(Photo.ID(try await photo(at: 0)))
    device.store.perform(
      Photo.CorrectDate(old, takenAt: Timestamp(millisecondsSince1970: 1_780_000_000_000), utcOffsetMinutes: 120))
    try device.share([old], with: Device.user(named: "ben"), inMomentTitled: "Alps")
    _ = try await json("/photo/\(old)/date", .POST, body: #"{"text": "\#(text)"}"#)
    let copies = try device.copies(of: old)
    #expect(copies.count == 2)
    for copy in copies {
      #expect(
        copy.takenAt.millisecondsSince1970 == milliseconds && copy.utcOffsetMinutes == offset && !copy.dateIsGuess)
    }
    let layout = try await json("/grid/timeline/layout")
    #expect((layout["sections"] as? [[String: Any]])?.map { $0["title"] as? String }.contains("2026-05-17") == true)
  }

  @Test(arguments: ["-09:30", "+14:00"]) func photoStandsUnderTheDayOfItsPlace(offset: String) async throws {
    let block = ExifBlock(takenAt: "2024:02:29 23:50:00", offset: offset)
    try folder.write(block.inserted(into: jpeg(shade: 7)), "pictures/a.jpg")
    _ = try await device.importPhotos(from: PhotoFolder(folder.url.appending(path: "pictures")))
    let sections = try #require(try await json("/grid/timeline/layout")["sections"] as? [[String: Any]])
    #expect(sections.last?["title"] as? String == "2024-02-29")
  }

  @Test(arguments: ["", "yesterday", "2026-02-30T10:00", "2026-05-17"])
  func impossibleDateIsRefused(text: String) async throws {
    let target = "/photo/\(try await photo(at: 0))/date"
    let operations = device.store.pendingOperations.count
    await #expect {
      _ = try await routes.handleRequest(request(target, .POST, body: #"{"text": "\#(text)"}"#))
    } throws: {
      ($0 as? PageError)?.status == .badRequest
    }
    #expect(device.store.pendingOperations.count == operations)
  }

  @Test func errorsAreToldInSentences() async throws {
    let request = request("/")
    for error in [StoreError(.closed, "The store was closed."), CocoaError(.fileNoSuchFile)] as [any Error] {
      let answers = ErrorAnswers(next: ClosureHTTPHandler { _ in throw error })
      let body = try await answers.handleRequest(request).bodyData
      let text = try #require(JSONDecoder().decode([String: String].self, from: body)["error"])
      #expect(text == error.reason && !text.contains("Domain="))
    }
  }

  @Test func hidingASharedPhotoHidesItsCopyToo() async throws {
    let id = try await photo(at: 0)
    let body = #"{"photos": ["\#(id)"], "friend": "ben", "title": "Alps"}"#
    _ = try await routes.handleRequest(request("/share", .POST, body: body))
    _ = try await json("/photo/\(id)/hide", .POST)
    #expect(try await json("/grid/timeline/layout")["count"] as? Int == 49)
  }
}
