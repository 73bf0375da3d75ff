// Tests which page that was fetched ahead still fits.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct PageAheadTests {
  /// A refusal under an earlier membership says nothing about the one that has come since.
  @Test func pageAheadOfEarlierMembershipDoesNotFit() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo()
    let place = ben.store.place(of: .box)
    let before = await ben.client.question(of: .box, at: place)
    #expect(await ben.client.question(of: .box, at: place) == before && before.membership != nil)
    for change in [Member.Change.leaves, .joins] {
      anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: change))
      try await settle(anna, ben)
    }
    let after = await ben.client.question(of: .box, at: place)
    #expect(after.membership != nil && after.membership != before.membership)
  }
}
