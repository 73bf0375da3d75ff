// Tests of server addresses as people give them: the route is added once, and a missing scheme is an error.

import Foundation
import Testing

@testable import ClientSync

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct TransportAddressTests {
  @Test(arguments: [
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080/graphql"),
    ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/graphql"),
    ("http://127.0.0.1:8080/graphql", "http://127.0.0.1:8080/graphql"),
    ("https://example.com/sync/graphql/", "https://example.com/sync/graphql"),
    ("https://example.com/graphql-sync", "https://example.com/graphql-sync/graphql"),
  ]) func theRouteIsAddedOnce(given: String, asked: String) async throws {
    let transport = HTTPTransport(url: try #require(URL(string: given))) { _ in "token" }
    #expect(try await transport.request("graphql", timeoutMilliseconds: 1_000).url?.absoluteString == asked)
    let file = try await transport.request("files", timeoutMilliseconds: 1_000).url?.absoluteString
    #expect(file == asked.replacing(/graphql$/, with: "files"))
  }

  @Test(arguments: ["localhost:8080", "example.com", "ftp://example.com"])
  func rejectsAddressWithoutHTTPScheme(given: String) async throws {
    let transport = HTTPTransport(url: try #require(URL(string: given))) { _ in "token" }
    let error = await #expect(throws: SyncError.self) {
      _ = try await transport.request("graphql", timeoutMilliseconds: 1_000)
    }
    #expect(error?.message == "The server's address \(given) needs http:// or https:// at its beginning.")
  }
}
