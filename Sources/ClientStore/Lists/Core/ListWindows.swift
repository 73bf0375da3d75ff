// Saves which objects are at the ends of a list, so that the next process shows them first.

import Foundation
import SyncProtocol
import WireFormat

/// Files beside the database, one for each list. They only say where to look first, so an old, lost or damaged one
/// costs a moment, and errors are ignored. See docs/formats/store-layout.md.
struct ListWindows: Sendable {
  /// How many objects are saved at each end of a list.
  static let maximumCount = 200
  /// How many files there are at most. The lists that were saved longest ago are forgotten first.
  private static let maximumFiles = 100

  private let folder: URL

  init(storeFolder: String) { folder = URL(fileURLWithPath: storeFolder).appendingPathComponent("lists") }

  func ids(of list: String) -> [UUIDValue] {
    guard let bytes = try? Data(contentsOf: file(list)), bytes.count <= 2 * Self.maximumCount * 16 else { return [] }
    return (try? [UUIDValue](stored: [UInt8](bytes))) ?? []
  }

  func save(_ ids: [UUIDValue], of list: String) {
    let files = FileManager.default
    // Makes no folders above it, because the store may be gone.
    try? files.createDirectory(at: folder, withIntermediateDirectories: false)
    try? Data(ids.stored).write(to: file(list), options: .atomic)
    let found = try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
    guard let found, found.count > Self.maximumFiles else { return }
    // More than one at once, because it reads the dates of all.
    let byAge = found.map { (file: $0, date: Self.date($0)) }.sorted { $0.date > $1.date }
    for (file, _) in byAge.dropFirst(Self.maximumFiles * 9 / 10) { try? files.removeItem(at: file) }
  }

  /// The file of a list. Its name is hashed, because a parameter may be any text.
  private func file(_ list: String) -> URL {
    folder.appendingPathComponent("\(ContentHash(of: Array(list.utf8)))")
  }

  private static func date(_ file: URL) -> Date {
    (try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate) ?? .distantPast
  }
}
