// The Swift code of docs/guides/reading-without-a-store.md. One test compares the two, others run the code.

import Foundation
import ModelRuntime
import MomentsModels

typealias Post = @Sendable (_ body: [UInt8]) async throws -> [UInt8]

func photos(of moment: Moment.ID, post: @escaping Post) async throws -> [Photo.ID: Photo] {
  var photos: [Photo.ID: Photo] = [:]
  for try await page in Photo.deltaQuery.pages(moment.queueID, post: post) {
    for change in page.changes { photos[change.id] = change.object }
  }
  return photos
}

func post(to server: URL, token: String) -> Post {
  let transport = HTTPTransport(url: server) { _ in token }
  return { try await transport.post($0, timeoutMilliseconds: 30_000).body }
}

func newest(_ count: Int, of moment: Moment.ID, post: Post) async throws -> [Photo] {
  let request = Photo.deltaQuery.request(moment.queueID, limit: count)
  return try Photo.deltaQuery.page(await post(request)).changes.compactMap(\.object)
}

struct PhotoBot {
  /// What is kept between runs, in a file or a database.
  var place: String?
  var photos: [Photo.ID: Photo] = [:]

  mutating func look(at moment: Moment.ID, post: @escaping Post) async throws {
    let start = place.flatMap(DeltaCursor.init)
    if start == nil { photos = [:] }
    do {
      for try await page in Photo.deltaQuery.pages(moment.queueID, after: start, post: post) {
        for change in page.changes { photos[change.id] = change.object }
        self.place = page.place.description
      }
    } catch let error as RequestError where error.code == .reset && start != nil {
      place = nil
      try await look(at: moment, post: post)
    }
  }
}
