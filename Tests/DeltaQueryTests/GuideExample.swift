// The Swift of docs/guides/reading-without-a-store.md, compiled: a test compares, another one runs it.

import Foundation
import ModelRuntime
import MomentsModels

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

typealias Post = @Sendable (_ body: [UInt8]) async throws -> [UInt8]

func photos(of moment: Moment.ID, post: @escaping Post) async throws -> [Photo.ID: Photo] {
  var photos: [Photo.ID: Photo] = [:]
  for try await page in Photo.deltaQuery.pages(moment.queueID, post: post) {
    for change in page.changes { photos[change.id] = change.object }
  }
  return photos
}

func post(_ body: [UInt8], to server: URL, token: String) async throws -> [UInt8] {
  var request = URLRequest(url: server.appending(path: "graphql"))
  request.httpMethod = "POST"
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.setValue("application/graphql-response+json", forHTTPHeaderField: "Accept")
  request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
  request.setValue("\(ProtocolVersion.current)", forHTTPHeaderField: "Sync-Protocol-Version")
  request.httpBody = Data(body)
  return [UInt8](try await URLSession.shared.data(for: request).0)
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
    let start = place.flatMap(QueuePlace.init)
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
