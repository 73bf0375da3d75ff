// Where a sign-in service publishes its keys, and how they are read from there.

import AsyncHTTPClient
import Commands
import Determinism
import Foundation
import NIOCore
import NIOHTTP1

/// A file, or a URL that is fetched.
enum KeySetPlace: Sendable, CustomStringConvertible {
  case file(String)
  case url(String)

  /// What was read, and for how long it need not be read again.
  struct Published: Sendable {
    var json: [UInt8]
    var fresh: Duration
  }

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  init(_ text: String) {
    let isURL = ["https://", "http://"].contains { text.lowercased().hasPrefix($0) }
    self = isURL ? .url(text) : .file(text)
  }

  var description: String {
    switch self {
    case .file(let path): path
    case .url(let url): url
    }
  }

  /// Throws a `Mistake` for an address that is none.
  func check() throws {
    switch self {
    case .file(let path) where path.contains("://"):
      throw Mistake.usage("--jwks: \(path) is neither an https address nor a file.")
    case .url(let text) where URLComponents(string: text)?.host?.isEmpty ?? true:
      throw Mistake.usage("--jwks: \(text) is not an address.")
    case .url(let text) where URLComponents(string: text)?.user != nil:
      throw Mistake.usage("--jwks: an address with a password would stand in the log; public keys need none.")
    case .file, .url: return
    }
  }

  /// Whether somebody on the way could put keys of his own in the place of these.
  var isUnprotected: Bool {
    guard case .url(let text) = self, text.lowercased().hasPrefix("http://") else { return false }
    return !["localhost", "127.0.0.1", "::1", "[::1]"].contains(URLComponents(string: text)?.host)
  }

  func read() async throws(Unreadable) -> Published {
    switch self {
    case .file(let path): try Self.read(path)
    case .url(let url): try await Self.fetchInTime(url)
    }
  }

  // MARK: Files

  private static let freshByDefault = Duration.seconds(3_600)

  private static func read(_ path: String) throws(Unreadable) -> Published {
    do {
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      // Reads one more byte than is allowed, so that a larger file is noticed.
      let bytes = try file.read(upToCount: KeySet.mostBytes + 1) ?? Data()
      return Published(json: [UInt8](bytes), fresh: freshByDefault)
    } catch { throw Unreadable(description: error.localizedDescription) }
  }

  // MARK: URLs

  /// Of a whole fetch.
  private static let secondsToFetch: Int64 = 10
  /// Bounds of how long a service may say that its keys are fresh.
  private static let freshBounds = (least: Duration.seconds(60), most: Duration.seconds(86_400))

  /// Also ends what brings a byte now and then.
  private static func fetchInTime(_ url: String) async throws(Unreadable) -> Published {
    let published = await withTaskGroup(of: Result<Published, Unreadable>.self) { tasks in
      tasks.addTask {
        do throws(Unreadable) { return .success(try await fetch(url)) } catch { return .failure(error) }
      }
      tasks.addTask {
        try? await RuntimeEnvironment.current.sleep(milliseconds: secondsToFetch * 1_000)
        return .failure(Unreadable(description: "They did not come within \(secondsToFetch) seconds."))
      }
      defer { tasks.cancelAll() }
      return await tasks.next()
    }
    guard let published else { throw Unreadable(description: "They did not come.") }
    return try published.get()
  }

  private static func fetch(_ url: String) async throws(Unreadable) -> Published {
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout.connect = .seconds(secondsToFetch)
    // Else it would go on until the time is up, and not say why.
    configuration.connectionPool.retryConnectionEstablishment = false
    do {
      return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "Accept", value: "application/jwk-set+json, application/json")
        request.headers.add(name: "User-Agent", value: "modelserver")
        let answer = try await client.execute(request, timeout: .seconds(secondsToFetch))
        guard answer.status == .ok else { throw refusal(answer) }
        let body = try await answer.body.collect(upTo: KeySet.mostBytes)
        return Published(json: Array(body.readableBytesView), fresh: fresh(answer.headers["Cache-Control"]))
      }
    } catch let error as Unreadable { throw error } catch is NIOTooManyBytesError {
      throw Unreadable(description: "It has more than \(KeySet.mostBytes >> 10) kB.")
    } catch let error as IOError {
      throw Unreadable(description: "\(String(cString: strerror(error.errnoCode))).")
    } catch { throw Unreadable(description: "\(error).") }
  }

  private static func refusal(_ answer: HTTPClientResponse) -> Unreadable {
    if let place = answer.headers.first(name: "Location") {
      return Unreadable(description: "It has moved to \(place.prefix(500)): name that address instead.")
    }
    return Unreadable(description: "The answer was \(answer.status.code) \(answer.status.reasonPhrase).")
  }

  /// By `max-age` (RFC 9111, section 5.2.2.1).
  static func fresh(_ cacheControl: [String]) -> Duration {
    let directives = cacheControl.joined(separator: ",").lowercased().split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    if directives.contains("no-store") || directives.contains("no-cache") { return freshBounds.least }
    guard
      let age = directives.lazy.compactMap({ $0.wholeMatch(of: /max-age="?(\d{1,10})"?/)?.1 }).first.flatMap({ Int($0) }
      )
    else { return freshByDefault }
    return min(max(.seconds(age), freshBounds.least), freshBounds.most)
  }
}
