// Chooses the media type and the coding of an answer, and reads the type of a request (RFC 9110, sections 8.3, 12.5.1
// and 12.5.3).

import SyncProtocol

enum MediaTypes {
  static let graphQL = "application/graphql-response+json"
  static let json = "application/json"
  static let partialUpload = "application/partial-upload"

  /// The type of a `Content-Type`, without parameters; nil if it names a character set other than UTF-8.
  static func type(_ field: String?) -> String? {
    guard let field else { return nil }
    let parts = field.split(separator: ";").map { $0.trimmed.lowercased() }
    for part in parts.dropFirst() where part.hasPrefix("charset=") {
      guard part.dropFirst(8).filter({ $0 != "\"" }) == "utf-8" else { return nil }
    }
    return parts.first
  }

  /// The type of an answer that an `Accept` asks for; nil if it accepts neither. If both have the same weight,
  /// `graphQL`.
  static func answer(accept: [String]) -> String? {
    if accept.isEmpty { return graphQL }
    let ranges = accept.flatMap { $0.split(separator: ",") }.map(range)
    let (first, second) = (weight(of: graphQL, ranges), weight(of: json, ranges))
    if first == 0 && second == 0 { return nil }
    return first >= second ? graphQL : json
  }

  /// Whether an `Accept-Encoding` allows gzip.
  static func acceptsGzip(_ fields: [String]) -> Bool {
    let ranges = fields.flatMap { $0.split(separator: ",") }.map(range)
    let named = ranges.first { $0.range == Gzip.coding } ?? ranges.first { $0.range == "*" }
    return (named?.weight ?? 0) > 0
  }

  private static func range(_ text: Substring) -> (range: String, weight: Double) {
    let parts = text.split(separator: ";").map { $0.trimmed.lowercased() }
    let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
    return (parts.first ?? "", min(max(weight ?? 1, 0), 1))
  }

  /// The weight of the most specific range that matches; 0 if none does.
  private static func weight(of type: String, _ ranges: [(range: String, weight: Double)]) -> Double {
    for range in [type, "application/*", "*/*"] {
      if let found = ranges.first(where: { $0.range == range }) { return found.weight }
    }
    return 0
  }
}

extension Substring {
  /// Without spaces and tabs at its ends.
  var trimmed: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
