// Why a request got no answer, in words for a person.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Thrown if a request gets no answer, or one that is too large or not HTTP.
public struct HTTPTransportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error in words for a person, without a full stop.
  public var description: String

  init(_ description: String) { self.description = description }

  /// Foundation on Linux describes its errors as "(NSURLErrorDomain error -1004.)".
  init(_ error: any Error) {
    if let code = (error as? URLError)?.code {
      description = Self.words[code] ?? "The connection failed (error \(code.rawValue))"
    } else {
      description = error.localizedDescription
    }
  }

  private static let words: [URLError.Code: String] = [
    .notConnectedToInternet: "This device has no connection to the internet",
    .cannotConnectToHost: "Nothing answers at the server's address",
    .cannotFindHost: "The name of the server is unknown",
    .dnsLookupFailed: "The name of the server could not be looked up",
    .networkConnectionLost: "The connection broke off",
    .timedOut: "Nothing has come from the server in time",
    .badServerResponse: "The answer is not HTTP",
    .cannotParseResponse: "The answer is not HTTP",
    .secureConnectionFailed: "No secure connection to the server could be made",
    .serverCertificateUntrusted: "The server's certificate is not trusted",
    .serverCertificateHasBadDate: "The server's certificate has expired, or this device's clock is wrong",
    .serverCertificateNotYetValid: "The server's certificate is not valid yet, or this device's clock is wrong",
    .serverCertificateHasUnknownRoot: "The server's certificate is not trusted",
    .unsupportedURL: "The server's address cannot be used",
    .badURL: "The server's address cannot be used",
  ]
}
