// Lets in only a browser on this machine that was given the address.
import FlyingFox
import Foundation

/// Passes on requests whose `Host` is this machine and whose cookie has the token. An address with the token gets the
/// cookie and a redirection.
///
/// Without the check of `Host`, a foreign page could reach this one through a name that it points at 127.0.0.1. Without
/// the token, every program on the machine could.
struct PageGuard: HTTPHandler {
  let token: PageToken
  let next: any HTTPHandler

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let host = request.headers[.host] ?? ""
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, ["127.0.0.1", "localhost"].contains(parts.first) else {
      return refusal("This page is served to http://127.0.0.1 only.")
    }
    if let origin = request.headers[HTTPHeader("Origin")], origin != "http://\(host)" {
      return refusal("Another page may not use this one.")
    }
    // Cookies do not tell ports apart, and two devices may have their pages on one machine. So the name has the port.
    let cookie = "moments-\(parts.last ?? "")"
    if let given = request.query["token"] {
      guard token.matches(given) else { return refusal("The token in the address is not the one that was printed.") }
      let headers: HTTPHeaders = [.location: "/", .setCookie: "\(cookie)=\(given); HttpOnly; SameSite=Strict; Path=/"]
      return HTTPResponse(statusCode: .seeOther, headers: headers)
    }
    guard let given = Self.cookie(cookie, of: request), token.matches(given) else {
      return refusal("Open the address that was printed when this page was started: it ends with a token.")
    }
    var response = try await next.handleRequest(request)
    response.headers[HTTPHeader("Content-Security-Policy")] = "default-src 'self'; frame-ancestors 'none'"
    response.headers[HTTPHeader("X-Content-Type-Options")] = "nosniff"
    response.headers[HTTPHeader("Referrer-Policy")] = "no-referrer"
    return response
  }

  private static func cookie(_ name: String, of request: HTTPRequest) -> String? {
    for cookie in (request.headers[.cookie] ?? "").split(separator: ";") {
      let cookie = cookie.trimmingCharacters(in: .whitespaces)
      if cookie.hasPrefix("\(name)=") { return String(cookie.dropFirst(name.count + 1)) }
    }
    return nil
  }

  private func refusal(_ reason: String) -> HTTPResponse {
    HTTPResponse(statusCode: .forbidden, headers: [.contentType: "text/plain; charset=utf-8"], body: Data(reason.utf8))
  }
}

/// A secret of 128 random bits. Only the address that is printed at the start has it, and the file that keeps it.
struct PageToken: Sendable {
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Compares in a time that does not depend on where texts of the same length differ.
  func matches(_ other: String) -> Bool {
    let (mine, given) = (Array(text.utf8), Array(other.utf8))
    guard mine.count == given.count else { return false }
    return zip(mine, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
