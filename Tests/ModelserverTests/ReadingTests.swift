// Tests of a reader without a store, over HTTP: the query of a generated model, sent by the transport of sync.

import Foundation
import ModelSupport
import MomentsModels
import Testing

@Suite struct ReadingTests {
  static let queue = QueueID.queue

  static func photo(_ index: Int) -> Photo {
    let file = FileReference(
      hash: ContentHash(words: (UInt64(index), 0, 0, 0)), size: 1, mime: "image/jpeg", name: "\(index).jpg")
    return Photo(
      moment: Moment.ID(queue.root), owner: .zero, file: file,
      takenAt: Timestamp(millisecondsSince1970: Int64(index)))
  }

  @Test func queryReadsAModelOverTheTransportOfSync() async throws {
    let server = try LiveServer()
    let photos = (0..<7).map(Self.photo)
    var changes = OperationChanges()
    for photo in photos {
      let patch = try PatchBuilder().patch(filling: photo.encoded())
      changes.objects.append(
        ObjectChange(photo.id.rawValue, .create(type: Photo.modelName, patch), newestBy: photo.newestBy))
    }
    try await server.commit([CommitRequest.Mutation(1, changes)], token: Token.make("anna"))

    var read: [Photo] = []
    var pages = 0
    for try await page in Self.pages(of: server, as: "anna") {
      read += page.changes.compactMap(\.object)
      pages += 1
    }
    #expect(read == photos.reversed())
    #expect(pages == 4, "2 objects a page")
    await Self.fails(with: .forbidden) { for try await _ in Self.pages(of: server, as: "ben") {} }
    await Self.fails(with: .unauthenticated) { for try await _ in Self.pages(of: server, as: nil) {} }
  }

  /// Without a user the token is invalid.
  private static func pages(of server: LiveServer, as user: String?) -> DeltaQuery<Photo>.Pages {
    let transport = HTTPTransport(url: server.url) { _ in user.map { Token.make($0) } ?? "none" }
    return Photo.deltaQuery.pages(queue, limit: 2) { body in
      try await transport.post(body, timeoutMilliseconds: 30_000).body
    }
  }

  private static func fails(with code: RequestError.Code, _ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("\(code) was expected")
    } catch {
      #expect((error as? RequestError)?.code == code, "\(error)")
    }
  }
}
