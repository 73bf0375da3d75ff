// The code in docs/guides/testing.md compiles, and does what the guide says.

import Foundation
import ModelRuntime
import ModelTesting
import MomentsModels
import TestSupport
import Testing

@Suite struct TestingGuideTests {
  @Test func momentIsSharedWithBen() async throws {
    let server = try PreviewServer(MomentsSchema.self)
    let (anna, ben) = (try server.device("anna"), try server.device("ben"))

    let moment = Moment(title: "Hut to hut")
    anna.store.create(moment)
    anna.store.perform(Moment.Share(moment.id, photos: [], recipient: ben.user))
    try await anna.sync()  // sends what she did, fetches what others did
    try await ben.sync()
    #expect(try ben.store.object(moment.id)?.title == "Hut to hut")
  }

  @Test func networkAndClockAreSet() throws {
    let server = try PreviewServer(MomentsSchema.self)
    let anna = try server.device("anna")
    anna.network = .offline  // no request arrives
    anna.network = .losesAnswers  // it arrives, and its answer is lost
    anna.network = .refuses(status: 503)  // the server has no time
    anna.network = .slow(milliseconds: 4_000)  // by the clock below
    server.clock.advance(milliseconds: 86_400_000)  // tomorrow: lists of `$today` change
  }

  @Test func everyReleaseIsRead() async throws {
    let releases = try await ReleaseArchive(MomentsSchema.self).check { anna in
      let moment = Moment(title: "Hut to hut")
      anna.store.create(moment)
      anna.store.perform(Moment.Share(moment.id, photos: [], recipient: UserID(subject: "ben", issuer: nil)))
    }
    #expect(releases.contains("0.1"))
  }

  @Test func guideHasTheSameCode() throws {
    let guide = try String(contentsOf: Repository.url("docs/guides/testing.md"), encoding: .utf8)
    let here = Self.lines(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
    // The first block is of a Package.swift.
    let blocks = guide.split(separator: "```swift\n").dropFirst(2).compactMap { $0.split(separator: "```").first }
    #expect(blocks.count == 4)
    for line in blocks.flatMap({ Self.lines(String($0)) }) where line != "@testable import App" {
      #expect(here.contains(line))
    }
  }

  /// The lines without the space around them, and before a comment.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces).replacing(#/ +// /#, with: " // ") }
  }
}
