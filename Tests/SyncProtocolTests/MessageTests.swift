import Foundation
// Tests of invalid messages: each mistake is an error that names its path, and no bytes trap.
import JSON
import TestSupport
import Testing
import WireFormat

@testable import SyncProtocol

@Suite struct MessageTests {
  private static let uuid = "\"00010203-0405-4607-8809-0a0b0c0d0e0f\""

  @Test(arguments: [
    ("[]", MessageError(.wrongType)),
    ("{}", MessageError(.missing, at: "queue")),
    (#"{"queue": null}"#, MessageError(.missing, at: "queue")),
    (#"{"queue": 5}"#, MessageError(.wrongType, at: "queue")),
    (#"{"queue": "00010203-0405-4607-8809-0a0b0c0d0e0"}"#, MessageError(.invalidValue, at: "queue")),
    (#"{"queue": U}"#, MessageError(.missing, at: "mutations")),
    (#"{"queue": U, "mutations": {}}"#, MessageError(.wrongType, at: "mutations")),
    (#"{"queue": U, "mutations": [[]]}"#, MessageError(.wrongType, at: "mutations[0]")),
    (
      #"{"queue": U, "mutations": [{"operation": U, "firstSent": "1", "changes": "AA="}]}"#,
      MessageError(.invalidValue, at: "mutations[0].changes")
    ),
    (
      #"{"queue": U, "mutations": [{"operation": U, "firstSent": "1", "changes": "", "void": 1}]}"#,
      MessageError(.wrongType, at: "mutations[0].void")
    ),
  ])
  func mistakesAreNamed(text: String, expected: MessageError) throws {
    let value = try JSONValue(parsing: Array(text.replacing("U", with: Self.uuid).utf8))
    #expect(throws: expected) { try MessageField<CommitRequest>.message.read(value) }
  }

  /// Numbers of 64 bits are texts, and small ones are numbers without a fraction.
  @Test(
    arguments: [
      ("cursor", "5", .wrongType), ("cursor", #""-1""#, .invalidValue), ("cursor", #""05""#, .invalidValue),
      ("cursor", #""9223372036854775808""#, .invalidValue), ("cursor", #""9223372036854775807""#, nil),
      ("attempt", #""1""#, .wrongType), ("attempt", "-1", .invalidValue), ("attempt", "0.5", .invalidValue),
      ("attempt", "1000001", .invalidValue), ("attempt", "1000000", nil), ("attempt", "null", nil),
    ] as [(String, String, MessageError.Code?)])
  func aNumberHasOneForm(name: String, number: String, mistake: MessageError.Code?) throws {
    let text = #"{"queue": U, "operation": U, "firstSent": "1", "changes": "", "\#(name)": \#(number)}"#
    let value = try JSONValue(parsing: Array(text.replacing("U", with: Self.uuid).utf8))
    var found: MessageError?
    do throws(MessageError) {
      if name == "cursor" { _ = try MessageField<DeltaRequest.Queue>.message.read(value) }
      if name == "attempt" { _ = try MessageField<CommitRequest.Mutation>.message.read(value) }
    } catch { found = error }
    #expect(found == mistake.map { MessageError($0, at: name) })
  }

  @Test(
    arguments: [
      (.number("5"), .wrongType), (.base64([]), .invalidValue), (.base64([1, 2, 3]), .invalidValue),
      (.base64(Array(repeating: 0, count: 24)), .invalidValue), (.base64(Array(repeating: 0, count: 4_096)), .tooLarge),
    ] as [(JSONValue, MessageError.Code)])
  func refusesWrongSums(sums: JSONValue, code: MessageError.Code) {
    #expect(throws: MessageError(code, at: "sums")) {
      try MessageField<ChangedRequest>.message.read(["sums": sums, "waitSeconds": .count(0)])
    }
  }

  @Test func readsPollWithoutSums() throws {
    for text in [#"{"waitSeconds": 5}"#, #"{"sums": null, "waitSeconds": 5}"#] {
      let read = try MessageField<ChangedRequest>.message.read(try JSONValue(parsing: Array(text.utf8)))
      #expect(read == ChangedRequest(sums: nil, waitSeconds: 5))
      #expect(try MessageField<ChangedRequest>.message.read(read.json) == read)
    }
  }

  @Test func ignoresUnknownMembersOfMessage() throws {
    let text = #"{"new": [{}], "queue": U, "mutations": [], "grant": null}"#.replacing("U", with: Self.uuid)
    let request: CommitRequest = try MessageField.message.read(try JSONValue(parsing: Array(text.utf8)))
    #expect(request == CommitRequest(queue: Samples.queue, mutations: []))
  }

  @Test func refusesTooLargeMessagesBeforeReading() throws {
    // The elements are invalid too, but their count is refused first.
    let many = JSONValue.array(Array(repeating: .null, count: ProtocolLimits.mutations + 1))
    #expect(throws: MessageError(.tooLarge, at: "mutations")) {
      try MessageField<CommitRequest>.message.read(["queue": .id(Samples.queue), "mutations": many])
    }
    let awaiting = Array(repeating: Samples.operations[0], count: ProtocolLimits.awaiting)
    var request = DeltaRequest(queues: [DeltaRequest.Queue(queue: Samples.queue, awaiting: awaiting)])
    #expect(try MessageField<DeltaRequest>.message.read(request.json) == request)
    request.queues.append(DeltaRequest.Queue(queue: Samples.queue, awaiting: [Samples.operations[0]]))
    #expect(throws: MessageError(.tooLarge, at: "queues")) {
      try MessageField<DeltaRequest>.message.read(request.json)
    }
    let content = JSONValue.base64([UInt8](repeating: 0, count: 5))
    #expect(try MessageField.bytes(atMost: 5).read(content).count == 5)
    #expect(throws: MessageError(.tooLarge)) { try MessageField.bytes(atMost: 4).read(content) }
    #expect(throws: MessageError(.tooLarge)) {
      try MessageField.bytes(atMost: 4).read(.string(String(repeating: "!", count: 40)))
    }
    let body = [UInt8](repeating: 0x20, count: ProtocolLimits.requestBytes + 1)
    #expect(throws: MessageError(.tooLarge)) { try GraphQLRequest(body: body) }
    #expect(throws: MessageError(.notJSON)) { try GraphQLRequest(body: Array(body.dropLast())) }
  }

  @Test(arguments: [
    ("", nil), (#", "extensions": {}"#, nil), (#", "extensions": {"tracing": 1}"#, nil),
    (#", "extensions": {"syncUser": "00010203-0405-4607-8809-0a0b0c0d0e0f"}"#, UserID(Samples.queue.rawValue)),
  ])
  func aRequestMayNameItsUser(extensions: String, user: UserID?) throws {
    let read = try GraphQLRequest(body: Array(#"{"query": "{ a }"\#(extensions)}"#.utf8))
    #expect(read.user == user)
    #expect(try GraphQLRequest(body: read.body) == read)
  }

  @Test func refusesRequestWithInvalidUser() {
    let body = Array(#"{"query": "", "extensions": {"syncUser": "anna"}}"#.utf8)
    #expect(throws: MessageError.self) { try GraphQLRequest(body: body) }
  }

  @Test(arguments: [
    ("<html>Welcome to the Grand Hotel</html>", MessageError(.notJSON)),
    ("", MessageError(.notJSON)),
    ("{}", MessageError(.missing, at: "data")),
    (#"{"data": null}"#, MessageError(.missing, at: "data")),
    (#"{"data": {"commit": null}}"#, MessageError(.missing, at: "data.commit")),
    (#"{"data": {"commit": {"time": "1"}}}"#, MessageError(.missing, at: "data.commit.decided")),
    (#"{"data": {"commit": {"time": "-9223372036854775808"}}}"#, MessageError(.invalidValue, at: "data.commit.time")),
    (#"{"data": {"commit": {"time": "9007199254740993"}}}"#, MessageError(.invalidValue, at: "data.commit.time")),
    (#"{"data": {"commit": {"time": "-9007199254740992"}}}"#, MessageError(.missing, at: "data.commit.decided")),
    (
      #"{"data": {"commit": {"time": "1", "refusal": {"reason": "BORED"}}}}"#,
      MessageError(.unknownName, at: "data.commit.refusal.reason")
    ),
  ])
  func errorNamesMistakeInAnswer(text: String, expected: MessageError) {
    #expect(throws: expected) { try SyncCall.commit.answer(Array(text.utf8)) }
  }

  @Test(arguments: [
    (#"{"errors": [{"message": "no", "extensions": {"code": "TOO_LARGE"}}]}"#, RequestError(.tooLarge, "no")),
    (#"{"data": null, "errors": [{"message": "no"}]}"#, RequestError(.internalServerError, "no")),
    (#"{"errors": [{"extensions": {"code": "NEW"}}]}"#, RequestError(.internalServerError, "")),
    (#"{"errors": [7]}"#, RequestError(.internalServerError, "")),
    (
      #"{"errors": [{"extensions": {"code": "HISTORY_CHANGED", "since": "-5"}}]}"#,
      RequestError(.historyChanged, "", since: Timestamp(millisecondsSince1970: -5))
    ), (#"{"errors": [{"extensions": {"code": "HISTORY_CHANGED", "since": 5}}]}"#, RequestError(.historyChanged, "")),
  ])
  func errorsOfTheServerAreThrown(text: String, expected: RequestError) {
    #expect(throws: expected) { try SyncCall.commit.answer(Array(text.utf8)) }
  }

  @Test(arguments: ["photo", "sync.membership", "a-B_9", "", "photo\u{0}", "ph oto", "photo\n", "fóto", "\u{202E}"])
  func acceptsOnlyPlainTypeNames(name: String) {
    let isPlain = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
    #expect((try? MessageField.typeName.read(.string(name))) == (isPlain ? name : nil))
  }

  /// Every seventh prefix of every vector of an answer, and vectors with bytes changed: a value or an error.
  @Test func damagedBodiesNeverTrap() throws {
    let folder = Repository.url(GoldenTests.folder)
    let seed: UInt64 = 5
    var random = SeededRandom(seed: seed)
    var (values, errors) = (0, 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() where name.contains("answer")
    {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      let prefixes = stride(from: 0, to: bytes.count, by: 7).map { Array(bytes.prefix($0)) }
      let changed = (0..<500).map { _ in
        var copy = bytes
        for _ in 0...random.below(3) { copy[Int(random.below(UInt64(copy.count)))] = UInt8(random.below(256)) }
        return copy
      }
      for body in prefixes + changed {
        do {
          _ = try SyncCall.commit.answer(body)
          values += 1
        } catch { errors += 1 }
        _ = try? SyncCall.delta.answer(body)
        _ = try? SyncCall.objects.answer(body)
        _ = try? SyncCall.changed.answer(body)
        _ = try? SyncCall.signal.answer(body)
        _ = try? GraphQLRequest(body: body)
      }
    }
    #expect(values > 10 && errors > 1_000, "seed \(seed)")
  }

  @Test func keptDigestEqualsDigestOfObjects() {
    let seed: UInt64 = 11
    var random = SeededRandom(seed: seed)
    var objects: [UUIDValue: ObjectState] = [:]
    var kept = QueueDigest.empty
    for revision in 1...500 as ClosedRange<Int64> {
      let id = UUIDValue(high: 7, low: random.below(40))
      if let object = objects[id] { kept.remove(object) }
      let content = [UInt8](repeating: UInt8(random.below(256)), count: Int(random.below(5)))
      let system = SystemFields(createdBy: .zero, at: Timestamp(millisecondsSince1970: Int64(random.below(3))))
      let live = ObjectState.Live(type: "photo", content: content, system: system)
      objects[id] = ObjectState(id: id, revision: revision, live: random.chance(30) ? nil : live)
      kept.add(objects[id]!)
      #expect(kept == QueueDigest(objects.values), "seed \(seed), revision \(revision)")
    }
  }
}
