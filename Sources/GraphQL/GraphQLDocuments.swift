// A cache of parsed and validated documents, because clients send the same few again and again.

import Synchronization

/// Documents by their text. Parsing and validating the document is half of the work of a small request.
final class GraphQLDocuments: Sendable {
  private let known = Mutex<[String: GraphQLDocument]>([:])

  /// The most documents that are kept. Each model has a query; an app with more of them is served, but more slowly.
  private static let most = 200
  /// The longest document that is kept, in bytes. Longer ones, written by hand or to fill the table, are parsed each
  /// time.
  private static let longest = 4 << 10

  subscript(text: String) -> GraphQLDocument? { known.withLock { $0[text] } }

  /// Keeps a document. A full table is emptied first: documents in use come back with their next request.
  func keep(_ document: GraphQLDocument, _ text: String) {
    guard text.utf8.count <= Self.longest else { return }
    known.withLock {
      if $0.count >= Self.most { $0 = [:] }
      $0[text] = document
    }
  }
}
