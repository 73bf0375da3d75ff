// A cache of parsed and validated documents, because clients send the same few again and again.

import Foundation

/// Documents by their text. Parsing and validating the document is half of the work of a small request.
///
/// `@unchecked Sendable`: its lock guards the table.
final class GraphQLDocuments: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [String: GraphQLDocument] = [:]

  /// The most documents that are kept. Each model has a query; an app with more of them is served, but more slowly.
  private static let most = 200
  /// The longest document that is kept, in bytes. Longer ones, written by hand or to fill the table, are parsed each
  /// time.
  private static let longest = 4 << 10

  subscript(text: String) -> GraphQLDocument? { lock.withLock { known[text] } }

  /// Keeps a document. A full table is emptied first: documents in use come back with their next request.
  func keep(_ document: GraphQLDocument, _ text: String) {
    guard text.utf8.count <= Self.longest else { return }
    lock.withLock {
      if known.count >= Self.most { known = [:] }
      known[text] = document
    }
  }
}
