// JSON in requests and responses, and errors that say what is wrong.
import FlyingFox
import Foundation

/// An error for the page: an HTTP status and a sentence.
struct PageError: Error {
  var status: HTTPStatusCode
  var message: String

  init(_ status: HTTPStatusCode, _ message: String) {
    (self.status, self.message) = (status, message)
  }

  static var absent: Self { Self(.notFound, "There is no such thing here, or not any more.") }
}

/// Throws if a text is too long. The store refuses operations of more than 1 MiB, but only after the page was answered.
func check(_ text: String, _ name: String, maximum: Int) throws {
  let count = text.unicodeScalars.count
  guard count <= maximum else {
    throw PageError(.badRequest, "The \(name) has \(count) characters; it may have \(maximum). Make it shorter.")
  }
}

extension HTTPResponse {
  static func json(_ value: some Encodable, status: HTTPStatusCode = .ok) -> Self {
    do {
      return HTTPResponse(
        statusCode: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
        body: try JSONEncoder().encode(value))
    } catch {
      return HTTPResponse(statusCode: .internalServerError)
    }
  }
}

extension HTTPRequest {
  func json<Body: Decodable>(_: Body.Type) async throws -> Body {
    do { return try JSONDecoder().decode(Body.self, from: await bodyData) } catch {
      throw PageError(.badRequest, "The body of the request is not what this address expects.")
    }
  }
}

/// Turns errors that routes throw into responses.
struct ErrorAnswers: HTTPHandler {
  let next: any HTTPHandler

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    do { return try await next.handleRequest(request) } catch let error as PageError {
      return .json(["error": error.message], status: error.status)
    } catch let error as HTTPUnhandledError {
      throw error
    } catch {
      return .json(["error": error.reason], status: .internalServerError)
    }
  }
}
