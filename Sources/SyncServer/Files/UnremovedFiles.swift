// Files whose bytes are to go, because nothing names them any more, and have not gone yet.

import Foundation
import SyncProtocol

/// A storage that does not answer when its bytes are to be removed is asked again by the next upkeep. A server that ends
/// before that leaves the bytes: nobody reads them, and an upload of the same file takes their place.
///
/// `@unchecked Sendable`: its lock guards all state.
final class UnremovedFiles: @unchecked Sendable {
  private let lock = NSLock()
  private var places: Set<FileKey> = []
  private static let most = 100_000

  func add(_ place: FileKey) { lock.withLock { if places.count < Self.most { places.insert(place) } } }
  func remove(_ place: FileKey) { lock.withLock { _ = places.remove(place) } }

  /// In a stable order.
  var all: [FileKey] { lock.withLock { places.sorted() } }
}
