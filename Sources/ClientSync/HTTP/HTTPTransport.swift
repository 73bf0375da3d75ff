// The transport of apps: HTTP over URLSession.

public import Foundation
import SyncProtocol
import WireFormat

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Posts to a `modelserver`, with a bearer token that it asks the app for.
///
///     HTTPTransport(url: URL(string: "https://sync.example.com")!) { refused in try await session.token(renewing: refused) }
///
/// A redirection is not followed, since it would carry the token to somebody else.
public final class HTTPTransport: Transport {
  private let url: URL
  private let tokens: TokenStore
  private let session: URLSession
  private let exchanges: HTTPExchanges

  /// `url` is the server's address; the routes are added to it. `token` gives the token of the user; its argument says
  /// whether the server has refused the one that was given last. What it throws delays sync like a lost connection.
  public init(
    url: URL, configuration: URLSessionConfiguration = .ephemeral,
    token: @escaping @Sendable (_ isRefused: Bool) async throws -> String
  ) {
    self.url = url
    tokens = TokenStore(token)
    exchanges = HTTPExchanges(limit: ProtocolLimits.answerBytes)
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  public func post(_ body: [UInt8], timeoutMilliseconds: Int64) async throws -> TransportAnswer {
    var request = URLRequest(url: url.appendingPathComponent("graphql"))
    request.httpMethod = "POST"
    request.httpBody = Data(body)
    request.timeoutInterval = Double(timeoutMilliseconds) / 1_000
    request.cachePolicy = .reloadIgnoringLocalCacheData
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("application/graphql-response+json", forHTTPHeaderField: "Accept")
    request.setValue("\(ProtocolVersion.current)", forHTTPHeaderField: ProtocolVersion.field)
    request.setValue("Bearer \(try await tokens.token())", forHTTPHeaderField: "Authorization")
    let (response, data) = try await exchanges.exchange(session.dataTask(with: request))
    return TransportAnswer(
      status: response.statusCode, protocolVersion: response.value(forHTTPHeaderField: ProtocolVersion.field),
      server: response.value(forHTTPHeaderField: ServerIdentity.field).flatMap { UUIDValue($0) },
      retryAfterSeconds: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int64($0) }, body: [UInt8](data))
  }

  public func refreshCredentials() async throws { try await tokens.renew() }
}

/// The token that is sent until the server refuses it.
private actor TokenStore {
  private let ask: @Sendable (_ isRefused: Bool) async throws -> String
  private var current: String?

  init(_ ask: @escaping @Sendable (_ isRefused: Bool) async throws -> String) {
    self.ask = ask
  }

  func token() async throws -> String {
    if let current { return current }
    let token = try await ask(false)
    current = token
    return token
  }

  func renew() async throws { current = try await ask(true) }
}
