// A folder of pictures, at any depth.
import Foundation
import ModelRuntime

public struct PhotoFolder: PhotoSource {
  let folder: URL

  public init(_ folder: URL) {
    self.folder = folder
  }

  /// JPEGs, whatever they are called: other files are left out. By path, so that every import has the same order.
  public func pictures() throws -> [SourcePicture] {
    // One that is not there would look like an empty one.
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) != nil,
      let files = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: [.isRegularFileKey, .contentModificationDateKey],
        options: [.skipsHiddenFiles])
    else { throw ImportError("The folder \(folder.path) cannot be read.") }
    return files.compactMap { $0 as? URL }.sorted { $0.path < $1.path }.compactMap(Self.picture)
  }

  private static func picture(at url: URL) -> SourcePicture? {
    let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .contentModificationDateKey])
    guard values?.isRegularFile == true else { return nil }
    // A file that cannot be opened stays, so that the import can say so.
    if let start = try? beginning(of: url, 2), start != [0xFF, 0xD8] { return nil }
    return SourcePicture(
      name: url.path, modifiedAt: values?.contentModificationDate ?? .now,
      beginning: { try beginning(of: url, $0) }, file: .url(url))
  }

  private static func beginning(of url: URL, _ count: Int) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return [UInt8](try file.read(upToCount: count) ?? Data())
  }
}

public struct ImportError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
