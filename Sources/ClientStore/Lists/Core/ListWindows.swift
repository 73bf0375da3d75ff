// Which objects were at the ends of a list when it was last open: the next process shows them before it has read all.

import Foundation
import SyncProtocol
import WireFormat

/// Files beside the database, one a list. They only say where to look first, so one that is old, lost or damaged costs
/// a moment, and none is worth an error. See docs/formats/store-layout.md.
struct ListWindows: Sendable {
  /// At each end of the list.
  static let maximumCount = 200
  /// The list that was open longest ago is forgotten.
  private static let maximumFiles = 100

  private let folder: URL

  init(storeFolder: String) { folder = URL(fileURLWithPath: storeFolder).appendingPathComponent("lists") }

  func ids(of list: String) -> [UUIDValue] {
    guard let bytes = try? Data(contentsOf: file(list)), bytes.count <= 2 * Self.maximumCount * 16 else { return [] }
    return (try? [UUIDValue](stored: [UInt8](bytes))) ?? []
  }

  func save(_ ids: [UUIDValue], of list: String) {
    let files = FileManager.default
    // Not with the folders above it: the store may be gone.
    try? files.createDirectory(at: folder, withIntermediateDirectories: false)
    try? Data(ids.stored).write(to: file(list), options: .atomic)
    let found = try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
    guard let found, found.count > Self.maximumFiles else { return }
    let byAge = found.sorted { Self.date($0) > Self.date($1) }
    for file in byAge.dropFirst(Self.maximumFiles) { try? files.removeItem(at: file) }
  }

  /// Names are hashed: a parameter may be any text.
  private func file(_ list: String) -> URL {
    folder.appendingPathComponent("\(ContentHash(of: Array(list.utf8)))")
  }

  private static func date(_ file: URL) -> Date {
    (try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate) ?? .distantPast
  }
}
