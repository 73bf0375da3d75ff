// Tests of a download and an upload that are under way over HTTP when a membership ends.

import Foundation
import SyncProtocol
import Testing
import WireFormat

@Suite struct TransferEndTests {
  private let anna = Token.make("anna")
  private let ben = Token.make("ben")

  private func server(_ file: [UInt8] = []) async throws -> LiveServer {
    let server = try LiveServer(["--body-time", "1h", "--requests-per-second", "10000"])
    try await server.commit([.init(1, OperationChanges(members: [.follow(.user("ben"))]))], token: anna)
    guard !file.isEmpty else { return server }
    #expect(try await server.upload(file, at: 0, of: ContentHash(of: file), token: anna).summary == "204")
    return server
  }

  /// A download by Ben that has begun and does not go on, because he reads only its head.
  private func download(_ file: [UInt8], _ server: LiveServer) throws -> RawConnection {
    let connection = try RawConnection(server.url, window: 4_096)
    let path = "/files/\(QueueID.queue)/\(ContentHash(of: file))"
    connection.send(RawRequest.head("GET", path, ben, length: 0, more: "Connection: close\r\n"))
    let head = connection.text(through: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200"), "\(head)")
    return connection
  }

  /// The system has taken at most 200 KB when the membership ends. The rest of the two smaller files waits in the
  /// server, its last part before the connection or already in it.
  @Test(arguments: [5_000_000, 300_000, 230_000])
  func aDownloadEndsWithTheMembership(size: Int) async throws {
    let file = [UInt8](repeating: 1, count: size)
    let server = try await server(file)
    let connection = try download(file, server)
    try await server.commit([.init(2, OperationChanges(members: [.unfollow(.user("ben"))]))], token: anna)
    let count = connection.rest().utf8.count
    #expect(count < 200_000)
  }

  @Test func downloadGoesOnWhenWriterBecomesReader() async throws {
    let file = [UInt8](repeating: 1, count: 5_000_000)
    let server = try await server(file)
    let connection = try download(file, server)
    let role = OperationChanges(members: [.role(.user("ben"), .reader)])
    try await server.commit([.init(2, role)], token: anna)
    let count = connection.rest().utf8.count
    #expect(count > 4_900_000, "but for what came with the head")
  }

  @Test(
    arguments: [
      OperationChanges(members: [.unfollow(.user("ben"))]),
      OperationChanges(members: [.role(.user("ben"), .reader)]),
    ])
  func anUploadEndsWithTheRightToWrite(change: OperationChanges) async throws {
    let server = try await server()
    let bytes = Array("0123456789".utf8)
    let path = "/files/\(QueueID.queue)/\(ContentHash(of: bytes))"
    let connection = try RawConnection(server.url)
    connection.send(RawRequest.partHead(path, ben) + "01234")
    while try await server.send("HEAD", path, token: anna).fields["upload-offset"] != "5" {}
    try await server.commit([.init(2, change)], token: anna)
    connection.send("56789")
    let answer = connection.text(through: "FORBIDDEN")
    #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("FORBIDDEN"), "\(answer)")
    #expect(try await server.send("HEAD", path, token: anna).fields["upload-offset"] == "5")
  }
}
