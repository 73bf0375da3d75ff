// Tests of uploads that are interrupted and resumed, and of downloads of ranges.

import Foundation
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@Suite struct FileTests {
  private let anna = Token.make("anna")

  private func path(_ bytes: [UInt8]) -> String { "/files/\(QueueID.queue)/\(ContentHash(of: bytes))" }

  @Test func uploadResumesAtItsOffset() async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let hash = ContentHash(of: bytes)
    #expect(try await server.send("HEAD", path(bytes), token: anna).status == 404)
    let first = try await server.upload(Array(bytes[..<300_000]), at: 0, isLast: false, of: hash, token: anna)
    #expect(first.status == 204 && first.fields["upload-offset"] == "300000" && first.fields["upload-complete"] == "?0")
    for wrong in [0, 299_999, 300_001] {
      let reply = try await server.upload([1, 2, 3], at: wrong, of: hash, token: anna)
      #expect(reply.summary == "409 OFFSET_MISMATCH" && reply.fields["upload-offset"] == "300000")
      #expect(reply.fields["upload-complete"] == "?0")
    }
    let state = try await server.send("HEAD", path(bytes), token: anna)
    #expect(state.fields["upload-offset"] == "300000" && state.fields["upload-complete"] == "?0")
    #expect(try await server.send("GET", path(bytes), token: anna).summary == "404 NOT_FOUND")
    let last = try await server.upload(Array(bytes[300_000...]), at: 300_000, of: hash, token: anna)
    #expect(last.status == 204 && last.fields["upload-offset"] == "700000" && last.fields["upload-complete"] == "?1")
    let whole = try await server.send("GET", path(bytes), token: anna)
    #expect(whole.bytes == bytes && whole.fields["etag"] == "\"\(hash)\"")
    #expect(whole.fields["cache-control"] == "private, immutable")
    // A part that comes once more changes nothing.
    #expect(try await server.upload([9], at: 0, of: hash, token: anna).fields["upload-offset"] == "700000")
  }

  /// A browser or a proxy that has the file asks whether it is still the same. It gets 304 if a tag matches and it may
  /// read the file.
  @Test(
    arguments: [
      ("HASH", 304), ("W/HASH", 304), ("\"a\", HASH", 304), ("*", 304), ("\"a\"", 200), ("hash", 200),
    ] as [(String, Int)])
  func answersNotModifiedWhereATagMatches(tags: String, status: Int) async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let (bytes, tag) = (Array("0123456789".utf8), "\"\(ContentHash(of: Array("0123456789".utf8)))\"")
    let fields = ["If-None-Match": tags.replacingOccurrences(of: "HASH", with: tag)]
    let early = try await server.send("GET", path(bytes), token: anna, fields)
    #expect(early.status == 404, "what is not there is no match")
    _ = try await server.upload(bytes, at: 0, of: ContentHash(of: bytes), token: anna)
    let reply = try await server.send("GET", path(bytes), token: anna, fields)
    #expect(reply.status == status && reply.fields["etag"] == tag)
    #expect(reply.bytes == (status == 304 ? [] : bytes))
    let stranger = try await server.send("GET", path(bytes), token: Token.make("ben"), fields)
    #expect(stranger.status == 403, "who may not read it learns nothing")
  }

  @Test func brokenConnectionKeepsReceivedBytes() async throws {
    let server = try LiveServer(["--body-time", "1h", "--requests-per-second", "10000"])
    try await server.commit([], token: anna)
    let bytes = Array("0123456789".utf8)
    var connection: RawConnection? = try RawConnection(server.url)
    connection?.send(RawRequest.partHead(path(bytes), anna) + "01234")
    while try await server.send("HEAD", path(bytes), token: anna).fields["upload-offset"] != "5" {}
    // The client resumes on another connection while the server still listens to the first.
    #expect(
      try await server.upload(Array("56".utf8), at: 5, isLast: false, of: ContentHash(of: bytes), token: anna).status
        == 204)
    connection?.send("xx")
    connection = nil
    let last = try await server.upload(Array("789".utf8), at: 7, of: ContentHash(of: bytes), token: anna)
    #expect(last.status == 204)
    #expect(try await server.send("GET", path(bytes), token: anna).bytes == bytes)
    _ = connection
  }

  @Test func discardsUploadWithWrongHash() async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let bytes = Array("what it should be".utf8)
    let reply = try await server.upload(Array("what it is".utf8), at: 0, of: ContentHash(of: bytes), token: anna)
    #expect(reply.summary == "422 HASH_MISMATCH")
    #expect(try await server.send("HEAD", path(bytes), token: anna).status == 404)
    #expect(try await server.upload(bytes, at: 0, of: ContentHash(of: bytes), token: anna).status == 204)
  }

  @Test(
    arguments: [
      ("bytes=0-3", "206", "bytes 0-3/10", "0123"), ("bytes=8-", "206", "bytes 8-9/10", "89"),
      ("bytes=-3", "206", "bytes 7-9/10", "789"), ("bytes=5-100", "206", "bytes 5-9/10", "56789"),
      ("bytes=-100", "206", "bytes 0-9/10", "0123456789"),
      ("bytes=10-", "416 RANGE_NOT_SATISFIABLE", "bytes */10", nil),
      ("bytes=-0", "416 RANGE_NOT_SATISFIABLE", "bytes */10", nil), ("bytes=3-2", "200", nil, "0123456789"),
      ("bytes=0-1,3-4", "200", nil, "0123456789"), ("lines=1-2", "200", nil, "0123456789"),
      // The largest numbers, and numbers beyond them.
      ("bytes=0-9223372036854775807", "206", "bytes 0-9/10", "0123456789"),
      ("bytes=9-9223372036854775806", "206", "bytes 9-9/10", "9"),
      ("bytes=9223372036854775807-9223372036854775807", "416 RANGE_NOT_SATISFIABLE", "bytes */10", nil),
      ("bytes=9223372036854775807-", "416 RANGE_NOT_SATISFIABLE", "bytes */10", nil),
      ("bytes=-9223372036854775807", "206", "bytes 0-9/10", "0123456789"),
      ("bytes=0-9223372036854775808", "200", nil, "0123456789"),
      ("bytes=-9223372036854775808", "200", nil, "0123456789"),
    ] as [(String, String, String?, String?)])
  func ranges(range: String, summary: String, contentRange: String?, text: String?) async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let bytes = Array("0123456789".utf8)
    _ = try await server.upload(bytes, at: 0, of: ContentHash(of: bytes), token: anna)
    let reply = try await server.send("GET", path(bytes), token: anna, ["Range": range])
    #expect(reply.summary == summary && reply.fields["content-range"] == contentRange)
    if let text { #expect(reply.text == text) }
    let other = try await server.send("GET", path(bytes), token: anna, ["Range": range, "If-Range": "\"another\""])
    #expect(other.status == 200)
  }

  @Test func emptyFileCanBeUploadedAndRead() async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let reply = try await server.upload([], at: 0, of: ContentHash(of: []), token: anna)
    #expect(reply.summary == "204" && reply.fields["upload-complete"] == "?1")
    let whole = try await server.send("GET", path([]), token: anna)
    #expect(whole.status == 200 && whole.bytes == [])
  }

  /// A client that knows the draft of resumable uploads, and nothing of this protocol, finds the fields and errors that
  /// it expects.
  @Test func uploadsFollowTheDraftOfResumableUploads() async throws {
    let server = try LiveServer(["--file-megabytes", "1"])
    try await server.commit([], token: anna)
    let bytes = Array("0123456789".utf8)
    let path = path(bytes)
    func part(_ text: String, at offset: String, _ complete: String, length: String) async throws -> Reply {
      let fields = [
        "Content-Type": "application/partial-upload", "Upload-Offset": offset, "Upload-Complete": complete,
        "Upload-Length": length, "Upload-Draft-Interop-Version": "8",
      ]
      return try await server.send("PATCH", path, token: anna, fields, body: Array(text.utf8))
    }
    let first = try await part("0123", at: "0", "?0;part=1", length: "10")
    #expect(first.summary == "204" && first.fields["location"] == path)
    #expect(first.fields["upload-limit"] == "max-size=1048576" && first.fields["upload-length"] == nil)
    let wrong = try await part("5", at: "5", "?1", length: "10")
    #expect(wrong.fields["content-type"] == "application/problem+json")
    let type = "https://iana.org/assignments/http-problem-types#mismatching-upload-offset"
    #expect(wrong.text.contains(#""type":"\#(type)""#) && wrong.text.contains(#""expected-offset":4"#))
    #expect(wrong.text.contains(#""provided-offset":5"#))
    let state = try await server.send("HEAD", path, token: anna)
    #expect(state.fields["upload-limit"] == "max-size=1048576" && state.fields["cache-control"] == "no-store")
    let last = try await part("456789", at: "4", "?1", length: "10")
    #expect(last.summary == "204" && last.fields["upload-length"] == "10" && last.fields["location"] == nil)
    let large = try await server.send(
      "PATCH", self.path([1]), token: anna,
      ["Content-Type": "application/partial-upload", "Upload-Offset": "0", "Upload-Length": "1048577"], body: [1])
    #expect(large.summary == "413 TOO_LARGE" && large.fields["upload-limit"] == "max-size=1048576")
  }

  @Test func refusesPartsWithWrongHeaderFields() async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let cases: [([String: String], String)] = [
      (["Content-Type": "application/json", "Upload-Offset": "0"], "415 UNSUPPORTED_MEDIA_TYPE"),
      (["Content-Type": "application/partial-upload"], "400 BAD_REQUEST"),
      (["Content-Type": "application/partial-upload", "Upload-Offset": "-1"], "400 BAD_REQUEST"),
      (["Content-Type": "application/partial-upload", "Upload-Offset": "9223372036854775808"], "400 BAD_REQUEST"),
      (["Content-Type": "application/partial-upload", "Upload-Offset": "9223372036854775807"], "409 OFFSET_MISMATCH"),
      (
        ["Content-Type": "application/partial-upload", "Upload-Offset": "0", "Upload-Complete": "1"], "400 BAD_REQUEST"
      ),
    ]
    for (fields, expected) in cases {
      let reply = try await server.send("PATCH", path([1]), token: anna, fields, body: [1])
      #expect(reply.summary == expected, "\(fields)")
    }
  }
}
