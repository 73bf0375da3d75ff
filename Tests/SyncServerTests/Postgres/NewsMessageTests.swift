// Tests of what servers tell each other: what is written is read, and nothing else.

import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncPostgres

@Suite struct NewsMessageTests {
  private static let name = UUIDValue(high: 1, low: 2)
  private static let change = SignalRequest.Change(queue: .queue(1), type: "a.b-c_d", content: [0, 255], seconds: 60)

  private static func signals(_ change: SignalRequest.Change) -> ServerMessage {
    .signals(SignalNews(of: .ben, SignalRequest(session: name, signals: [change])))
  }

  @Test(
    arguments: [
      .queue(QueueNews(.queue(1), leaving: [])), .queue(QueueNews(.queue(1), leaving: [.anna, .ben])),
      .queue(QueueNews(.queue(1), leaving: nil)), signals(change),
      signals(.init(queue: .queue(1), type: "t", content: nil, seconds: 1)),
      signals(.init(queue: .queue(1), type: "t", content: [], seconds: 1)),
    ] as [ServerMessage])
  func whatIsToldIsHeard(message: ServerMessage) throws {
    let texts = NewsMessage.texts(of: [message, message], from: Self.name)
    #expect(texts.count == 1)
    let read = try #require(NewsMessage.read(texts[0]))
    #expect(read.sender == Self.name && read.messages == [message, message])
  }

  @Test func manySignalsGoInSeveralTexts() throws {
    let whole = (0..<100).map { _ in
      Self.signals(.init(queue: .queue(1), type: "t", content: Array(repeating: 7, count: 1_024), seconds: 1))
    }
    let texts = NewsMessage.texts(of: whole, from: Self.name)
    #expect(texts.count > 10 && texts.allSatisfy { $0.utf8.count < 8_000 })
    #expect(texts.flatMap { NewsMessage.read($0)?.messages ?? [] } == whole)
  }

  @Test func nothingElseIsRead() throws {
    let seed: UInt64 = 3
    var random = SeededRandom(seed: seed)
    let text = NewsMessage.texts(
      of: [Self.signals(Self.change), .queue(QueueNews(.queue(1), leaving: []))], from: Self.name)[0]
    #expect(NewsMessage.read("") == nil && NewsMessage.read("\(Self.name);!")?.messages == [nil])
    for _ in 0..<5_000 {
      var bytes = Array(text.utf8)
      for _ in 0...random.below(3) { bytes[Int(random.below(UInt64(bytes.count)))] = UInt8(random.below(128)) }
      // Nil or messages; it does not trap.
      _ = NewsMessage.read(String(decoding: bytes, as: UTF8.self))
    }
    let long = SignalRequest.Change(queue: .queue(1), type: "t", content: Array(repeating: 7, count: 1_025), seconds: 1)
    #expect(NewsMessage.read(NewsMessage.texts(of: [Self.signals(long)], from: Self.name)[0])?.messages == [nil])
  }
}
