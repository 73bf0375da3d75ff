// All pages of a read, one after the other.

import SyncProtocol
public import WireFormat

extension DeltaQuery {
  /// The pages behind a place, each asked for when the loop wants it; ends behind the last.
  ///
  /// `post` sends a body to the server's `/graphql` and returns the body of the answer, whatever its status. An error
  /// of `post` or `page(_:)` ends the loop. After a loop that ended early, another one can go on from the place of the
  /// last page that it saw.
  public func pages(
    _ queue: QueueID, after place: DeltaCursor? = nil, limit: Int? = nil,
    post: @escaping @Sendable (_ body: [UInt8]) async throws -> [UInt8]
  ) -> Pages {
    Pages(start: place) { place in try page(await post(request(queue, after: place, limit: limit))) }
  }

  /// The pages of one read; each loop over it begins at the same place and asks anew.
  public struct Pages: AsyncSequence, Sendable {
    fileprivate let start: DeltaCursor?
    fileprivate let read: @Sendable (DeltaCursor?) async throws -> Page

    public func makeAsyncIterator() -> Iterator { Iterator(place: start, read: read) }

    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var place: DeltaCursor?
      fileprivate let read: @Sendable (DeltaCursor?) async throws -> Page
      private var isDone = false

      fileprivate init(place: DeltaCursor?, read: @escaping @Sendable (DeltaCursor?) async throws -> Page) {
        self.place = place
        self.read = read
      }

      public mutating func next() async throws -> Page? {
        if isDone { return nil }
        let page = try await read(place)
        // A server that answered with the same places again would keep the loop for ever.
        if let place, !page.isLast, !page.place.goesOn(from: place) {
          throw MessageError(.invalidValue, at: "data.objects.cursor")
        }
        place = page.place
        isDone = page.isLast
        return page
      }
    }
  }
}
