// The transport of apps: HTTP over URLSession.

public import Foundation
import SyncProtocol
import WireFormat

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests to a `modelserver`, with a bearer token that the app provides.
///
///     HTTPTransport(url: URL(string: "https://sync.example.com")!) { refused in
///       try await session.token(renewing: refused)
///     }
///
/// Redirections are not followed, since they could carry the token to somebody else.
public final class HTTPTransport: SyncTransport {
  private let url: URL
  private let tokens: TokenStore
  private let session: URLSession
  private let exchanges: HTTPExchanges
  private static let route = "graphql"

  /// `url` is the server's address, with or without `/graphql` at its end. `token` returns the user's token; its
  /// argument says whether the server has refused the last one. An error that it throws delays sync like a lost
  /// connection. So does a call that takes more than 30 seconds, but its token is used when it comes. If the user has
  /// to sign in, it throws `SyncError(.signedOut, "…")`, and the status says so.
  public init(
    url: URL, configuration: URLSessionConfiguration = .ephemeral,
    token: @escaping @Sendable (_ isRefused: Bool) async throws -> String
  ) {
    // Callers often have the address of the route at hand.
    self.url = url.lastPathComponent == Self.route ? url.deletingLastPathComponent() : url
    tokens = TokenStore(token)
    exchanges = HTTPExchanges(limit: ProtocolLimits.answerBytes)
    let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
    // Sync must not read from a cache, and with one Foundation on Linux cannot cancel safely (decision 13).
    configuration.urlCache = nil
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: exchanges.queue)
  }

  /// Only abandoned requests can still be under way; they end by themselves.
  deinit { session.finishTasksAndInvalidate() }

  /// Posts a body to `/graphql` with the token. Bodies of 1 KiB to 2 MiB are compressed.
  ///
  /// Throws if no answer comes or it is larger than 8 MiB, and a `SyncError` if there is no token.
  public func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    var request = try await request(Self.route, timeoutMilliseconds: timeoutMilliseconds)
    request.httpMethod = "POST"
    if let compressed = Gzip.compress(body) {
      request.httpBody = Data(compressed)
      request.setValue(Gzip.coding, forHTTPHeaderField: "Content-Encoding")
    } else {
      request.httpBody = Data(body)
    }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("application/graphql-response+json", forHTTPHeaderField: "Accept")
    return TransportAnswer(try await exchange(request, silence: timeoutMilliseconds, didMove: didMove))
  }

  /// Asks the app for a token after a refusal. Throws a `SyncError` if the app has none, or gives none in 30 seconds.
  public func refreshCredentials() async throws { _ = try await tokens.token() }
}

// The headers, the token and the deadline of all requests.
extension HTTPTransport {
  func request(_ path: String, timeoutMilliseconds: Int64) async throws -> URLRequest {
    guard ["http", "https"].contains(url.scheme?.lowercased()) else {
      throw SyncError(.unreachable, "The server's address \(url) needs http:// or https:// at its beginning.")
    }
    var request = URLRequest(url: url.appendingPathComponent(path))
    // The exchange holds the deadline. This timeout, which begins anew with each byte, ends tasks that Foundation fails
    // to cancel.
    request.timeoutInterval = Double(timeoutMilliseconds) / 1_000 + 10
    request.cachePolicy = .reloadIgnoringLocalCacheData
    request.setValue("\(ProtocolVersion.current)", forHTTPHeaderField: ProtocolVersion.field)
    request.setValue("Bearer \(try await tokens.token())", forHTTPHeaderField: "Authorization")
    return request
  }

  func exchange(
    _ request: URLRequest, silence milliseconds: Int64, didMove: @escaping @Sendable () -> Void = {}
  ) async throws -> HTTPAnswer {
    let answer = try await exchanges.exchange(
      session.dataTask(with: request), silence: milliseconds, didMove: didMove)
    if answer.response.statusCode == 401, let sent = request.value(forHTTPHeaderField: "Authorization") {
      await tokens.refused(String(sent.dropFirst("Bearer ".count)))
    }
    return answer
  }
}

extension TransportAnswer {
  init(_ answer: HTTPAnswer) {
    let response = answer.response
    self.init(
      status: response.statusCode, protocolVersion: response.value(forHTTPHeaderField: ProtocolVersion.field),
      server: response.value(forHTTPHeaderField: ServerIdentity.field).flatMap { ServerID($0) },
      history: response.value(forHTTPHeaderField: ServerIdentity.historyField).flatMap { HistoryID($0) },
      oldestWriter: response.value(forHTTPHeaderField: OldestWriter.field),
      retryAfterSeconds: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int64($0) },
      body: [UInt8](answer.data), isWhole: answer.isWhole)
  }
}
