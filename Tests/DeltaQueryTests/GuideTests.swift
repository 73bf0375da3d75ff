// The code in docs/guides/reading-without-a-store.md compiles, and does what the guide says.

import Foundation
import ModelRuntime
import MomentsModels
import TestSupport
import Testing

@Suite struct GuideTests {
  @Test func theSwiftOfTheGuideIsCompiled() throws {
    let guide = try String(
      contentsOf: Repository.url("docs/guides/reading-without-a-store.md"), encoding: .utf8)
    let example = try String(
      contentsOf: Repository.url("Tests/DeltaQueryTests/GuideExample.swift"), encoding: .utf8)
    let blocks = guide.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    #expect(blocks.count == 4)
    for block in blocks { #expect(example.contains(block), "the guide has other Swift than GuideExample:\n\(block)") }
  }

  @Test func exampleReadsAllAndNewestPhotos() async throws {
    let queue = try TestQueue()
    try await queue.commit { context in for index in 0..<5 { try context.create(queue.photo(index)) } }
    let post: Post = { await queue.post($0) }
    #expect(Set(try await photos(of: queue.moment.id, post: post).values) == Set((0..<5).map(queue.photo)))
    #expect(try await newest(2, of: queue.moment.id, post: post) == [queue.photo(4), queue.photo(3)])
  }

  @Test func botResumesAtItsPlaceOrStartsOver() async throws {
    let queue = try TestQueue()
    try await queue.commit { context in for index in 0..<3 { try context.create(queue.photo(index)) } }
    var bot = PhotoBot()
    try await bot.look(at: queue.moment.id) { await queue.post($0) }
    try await queue.commit { try $0.delete(queue.photo(1).id) }
    try await bot.look(at: queue.moment.id) { await queue.post($0) }
    #expect(Set(bot.photos.values) == [queue.photo(0), queue.photo(2)])

    // The place now names another history, as if the server was restored from a backup in which one photo is absent.
    bot.place = try #require(bot.place).replacing(/^\S+/, with: UUIDValue(high: 1, low: 1).description)
    bot.photos[queue.photo(9).id] = queue.photo(9)
    try await bot.look(at: queue.moment.id) { await queue.post($0) }
    #expect(Set(bot.photos.values) == [queue.photo(0), queue.photo(2)])

    bot.place = "what an older version kept"
    bot.photos[queue.photo(9).id] = queue.photo(9)
    try await bot.look(at: queue.moment.id) { await queue.post($0) }
    #expect(Set(bot.photos.values) == [queue.photo(0), queue.photo(2)])
  }
}
