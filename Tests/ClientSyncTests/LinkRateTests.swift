// Tests of how large requests are on networks of any speed.

import Testing

@testable import ClientSync

@Suite struct LinkRateTests {
  /// Sends requests as large as `rate` says over a link of so many bytes a second that takes 100 ms there and back.
  /// Returns the sizes of the requests, and how long each took.
  private func play(
    _ rate: inout LinkRate, bytesPerSecond: Int64, requests: Int, atMost most: Int = 4 << 20
  ) -> [(bytes: Int, took: Int64)] {
    (0..<requests).map { _ in
      let bytes = rate.bytes(atMost: most)
      let took = 100 + Int64(bytes) * 1_000 / bytesPerSecond
      rate.measure(bytes, took: took)
      return (bytes, took)
    }
  }

  @Test(arguments: [15_000, 20_000, 50_000, 100_000, 1_000_000] as [Int64])
  func requestsTakeAboutTwoSeconds(bytesPerSecond: Int64) {
    var rate = LinkRate()
    let requests = play(&rate, bytesPerSecond: bytesPerSecond, requests: 12)
    #expect(requests[0].took < 3_000, "the first request is small")
    for request in requests.suffix(5) { #expect((1_700...2_300).contains(request.took), "\(requests)") }
  }

  @Test func fastNetworkSoonCarriesAsMuchAsTheProtocolAllows() {
    var rate = LinkRate()
    #expect(play(&rate, bytesPerSecond: 100_000_000, requests: 4).last?.bytes == 4 << 20)
  }

  @Test func slowerNetworkMakesTheNextRequestSmaller() {
    var rate = LinkRate()
    _ = play(&rate, bytesPerSecond: 1_000_000, requests: 5)
    let requests = play(&rate, bytesPerSecond: 20_000, requests: 2)
    #expect(requests[0].took > 60_000 && requests[1].took < 2_500, "\(requests)")
    #expect(rate.slowBytesPerSecond != nil)
  }

  @Test func smallQuickRequestDoesNotMakeItSlower() {
    var rate = LinkRate()
    _ = play(&rate, bytesPerSecond: 1_000_000, requests: 5)
    let before = rate.bytes(atMost: 4 << 20)
    rate.measure(200, took: 300)
    #expect(rate.bytes(atMost: 4 << 20) == before && rate.slowBytesPerSecond == nil)
  }

  @Test func failureLeavesHalf() {
    var rate = LinkRate()
    _ = play(&rate, bytesPerSecond: 1_000_000, requests: 5)
    rate.fail()
    #expect(rate.bytes(atMost: 4 << 20) == Int(LinkRate.first) / 2)
    for _ in 0..<40 { rate.fail() }
    #expect(rate.bytes(atMost: 4 << 20) == Int(LinkRate.least), "and never less than that")
  }

  @Test func clockThatJumpsMeasuresNothing() {
    var rate = LinkRate()
    rate.measure(1_000_000, took: -5)
    rate.measure(1_000_000, took: 86_400_000)
    #expect(rate == LinkRate())
  }
}
