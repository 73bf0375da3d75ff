// Documents that were read and found valid: clients send the same few again and again.

import Foundation

/// By their texts, so many at most. A document is half of the work of a small request.
///
/// `@unchecked Sendable`: the table is reached under the lock only.
final class GraphQLDocuments: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [String: GraphQLDocument] = [:]

  /// Each model has a query; an app with more of them is served, only slower.
  private static let most = 200
  /// Documents that people write by hand, or to fill the table, are read each time.
  private static let longest = 4 << 10

  subscript(text: String) -> GraphQLDocument? { lock.withLock { known[text] } }

  /// Where there are too many all of them go: those in use come back with their next request.
  func keep(_ document: GraphQLDocument, _ text: String) {
    guard text.utf8.count <= Self.longest else { return }
    lock.withLock {
      if known.count >= Self.most { known = [:] }
      known[text] = document
    }
  }
}
