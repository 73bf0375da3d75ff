// Tests of the guard that lets requests in.
import FlyingFox
import Foundation
import Testing

@testable import MomentsPage

@Suite struct PageGuardTests {
  private let token = PageToken()

  private func answer(
    to target: String, host: String? = "127.0.0.1:8080", cookie: String? = nil, origin: String? = nil
  ) async throws -> HTTPResponse {
    let parts = target.split(separator: "?token=", maxSplits: 1, omittingEmptySubsequences: false)
    var headers: HTTPHeaders = [:]
    headers[.host] = host
    headers[.cookie] = cookie
    headers[HTTPHeader("Origin")] = origin
    let query = parts.count > 1 ? [HTTPRequest.QueryItem(name: "token", value: String(parts[1]))] : []
    let request = HTTPRequest(
      method: .GET, version: .http11, path: String(parts[0]), query: query, headers: headers, body: HTTPBodySequence())
    return try await PageGuard(token: token, next: Everything()).handleRequest(request)
  }

  @Test func addressWithTokenSetsCookieAndRedirects() async throws {
    let answer = try await answer(to: "/?token=\(token.text)")
    #expect(answer.statusCode == .seeOther && answer.headers[.location] == "/")
    let cookie = try #require(answer.headers[.setCookie])
    #expect(
      cookie.hasPrefix("moments-8080=\(token.text);") && cookie.contains("HttpOnly")
        && cookie.contains("SameSite=Strict"))
  }

  @Test func theCookieOpensThePage() async throws {
    let answer = try await answer(to: "/", cookie: "a=b; moments-8080=\(token.text)")
    #expect(answer.statusCode == .ok)
    #expect(answer.headers[HTTPHeader("Content-Security-Policy")] != nil)
  }

  @Test(arguments: ["", "a", "moments-8080=", "moments-8080=00000000000000000000000000000000", "moments-8081=TOKEN"])
  func refusesWrongCookieOrToken(cookie: String) async throws {
    let cookie = cookie.replacing("TOKEN", with: token.text)
    #expect(try await answer(to: "/", cookie: cookie).statusCode == .forbidden)
    #expect(try await answer(to: "/?token=\(cookie)").statusCode == .forbidden)
  }

  @Test(arguments: [
    "evil.example", "evil.example:8080", "127.0.0.1.evil.example:8080", "", "127.0.0.1:8080:9", "[::1]:8080",
  ])
  func anotherHostIsRefused(host: String) async throws {
    #expect(try await answer(to: "/", host: host, cookie: "moments-8080=\(token.text)").statusCode == .forbidden)
    #expect(try await answer(to: "/?token=\(token.text)", host: host).statusCode == .forbidden)
  }

  @Test func anotherOriginIsRefused() async throws {
    let cookie = "moments-8080=\(token.text)"
    #expect(try await answer(to: "/", cookie: cookie, origin: "http://evil.example").statusCode == .forbidden)
    #expect(try await answer(to: "/", cookie: cookie, origin: "http://127.0.0.1:8080").statusCode == .ok)
  }

  @Test func noTwoTokensAreEqual() {
    #expect(token.text.utf8.count == 32)
    #expect(!token.matches(PageToken().text) && token.matches(token.text))
  }
}

private struct Everything: HTTPHandler {
  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse { HTTPResponse(statusCode: .ok) }
}
