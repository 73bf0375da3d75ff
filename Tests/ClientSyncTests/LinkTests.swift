// What an exchange says of the speed of the network, in both directions.

import Testing

@testable import ClientSync

@Suite struct LinkTests {
  @Test func directionThatCarriedLessIsAtLeastSoFast() {
    var link = Link()
    link.measure(sent: 100, received: 50_000, took: 5_000)
    for _ in 0..<20 { link.fail() }
    let slowest = link.down.bytesPerSecond
    // More goes up than comes down: what has come down shows nevertheless that the network is faster than it was.
    link.measure(sent: 12_000, received: 4_000, took: 400)
    #expect(link.down.bytesPerSecond == 10_000 && slowest == 1)
    link.measure(sent: 12_000, received: 400, took: 4_000)
    #expect(link.down.bytesPerSecond == 10_000, "a little in a long time makes it no slower")
  }

  @Test func nothingIsKnownOfADirectionThatWasNotMeasured() {
    var link = Link()
    link.measure(sent: 100_000, received: 100, took: 1_000)
    #expect(link.down.bytesPerSecond == nil, "the first page has its usual size")
  }

  @Test func refusedConnectionSaysNothingOfTheSpeed() async throws {
    let anna = try TestServer().device(1)
    try await anna.client.syncOnce()
    let before = await anna.client.link
    anna.transport.goes { _, _ in throw TestTransport.Lost() }
    for _ in 0..<5 { _ = try? await anna.client.syncOnce() }
    #expect(await anna.client.link == before)
  }
}
