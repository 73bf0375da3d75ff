// Pages of a queue, as storages give them.

import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@testable import SyncServer

@Suite(.onEachStorage) struct ObjectRangeTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  /// A large object, a tombstone and a small object, behind the member of the queue.
  private func fill() async throws {
    try await server.statuses([
      .init(1, .create(1, String(repeating: "x", count: 1_000), newestBy: 3)), .init(2, .create(2, "a")),
      .init(3, .delete(2)), .init(4, .create(3, "b", newestBy: 2)),
    ])
  }

  private func page(_ range: ObjectRange) throws -> ObjectPage {
    try server.storage.read { snapshot in
      try snapshot.decide(on: .queue, reading: [.page(range)]) { try $0.page(range) }.result
    }
  }

  /// The first object comes whatever it takes, and what takes no bytes comes behind it.
  @Test func aPageEndsWhereItsBytesEnd() async throws {
    try await fill()
    let whole = try page(ObjectRange(.changes(after: 1), rows: 10))
    #expect(whole.objects.map(\.id) == [.object(1), .object(2), .object(3)] && whole.isLast)
    let full = try page(ObjectRange(.changes(after: 1), rows: 10, bytes: 500))
    #expect(full.objects.map(\.id) == [.object(1), .object(2)] && !full.isLast)
    let few = try page(ObjectRange(.changes(after: 1), rows: 1))
    #expect(few.objects.map(\.id) == [.object(1)] && !few.isLast)
    let none = try page(ObjectRange(.changes(after: 1), rows: 0))
    #expect(none.objects.isEmpty && !none.isLast)
    let end = try page(ObjectRange(.changes(after: 100), rows: 0))
    #expect(end.objects.isEmpty && end.isLast)
  }

  @Test func aScanGoesFromTheNewestToTheOldest() async throws {
    try await fill()
    let all = try page(ObjectRange(.live(behind: nil, upTo: nil), rows: 10))
    #expect(all.objects.prefix(2).map(\.id) == [.object(1), .object(3)] && all.objects.count == 3 && all.isLast)
    let behind = ScanCursor(newestBy: 3, id: .object(1))
    let rest = try page(ObjectRange(.live(behind: behind, upTo: nil), rows: 1))
    #expect(rest.objects.map(\.id) == [.object(3)] && !rest.isLast)
    // What has changed since the scan began comes with the changes.
    let before = try page(ObjectRange(.live(behind: behind, upTo: 2), rows: 10))
    #expect(!before.objects.map(\.id).contains(.object(3)) && before.isLast)
  }

  @Test func onlyMembersAreGivenAPage() async throws {
    try await fill()
    for (user, count) in [(UserID.anna, 4), (.ben, 0)] {
      let range = ObjectRange(.changes(after: 0), rows: 10, for: user)
      #expect(try page(range).objects.count == count)
    }
  }
}
