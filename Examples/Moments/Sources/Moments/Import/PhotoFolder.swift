// A folder with pictures, subfolders included.
import Foundation
import ModelRuntime

public struct PhotoFolder: PhotoSource {
  let folder: URL

  public init(_ folder: URL) {
    self.folder = folder
  }

  /// Lists all JPEGs, whatever their names, in the order of their paths. Throws if the folder itself cannot be read.
  ///
  /// A file or subfolder that cannot be read, and a file that is a JPEG by its name only, is listed as an unreadable
  /// picture, so that the import reports it.
  public func pictures() throws -> [SourcePicture] {
    var unreadable: [SourcePicture] = []
    // To the enumerator a missing folder looks like an empty one.
    do { _ = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
      throw ImportError("The folder \(folder.path) cannot be read: \(error.reason)")
    }
    guard
      let files = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: [.isRegularFileKey, .contentModificationDateKey],
        options: [.skipsHiddenFiles],
        errorHandler: { url, error in
          unreadable.append(SourcePicture(unreadable: url, "The folder cannot be read: \(error.reason)"))
          return true
        })
    else { throw ImportError("The folder \(folder.path) cannot be read.") }
    let pictures = files.compactMap { $0 as? URL }.compactMap(Self.picture)
    return (pictures + unreadable).sorted { $0.name < $1.name }
  }

  private static func picture(at url: URL) -> SourcePicture? {
    guard let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .contentModificationDateKey]) else {
      // Foundation puts this character where a name has bytes that are not UTF-8, and then finds no such file.
      let isMisnamed = url.path.contains("\u{FFFD}")
      return SourcePicture(
        unreadable: url,
        isMisnamed ? "Its path is not UTF-8; give it another name." : "It may not be read, or has gone.")
    }
    guard values.isRegularFile == true else { return nil }
    if let start = try? beginning(of: url, 2), start != [0xFF, 0xD8] {
      let isCalledJPEG = ["jpg", "jpeg"].contains(url.pathExtension.lowercased())
      return isCalledJPEG ? SourcePicture(unreadable: url, "It is called a JPEG, and its bytes are none.") : nil
    }
    return SourcePicture(
      name: url.path, modifiedAt: values.contentModificationDate ?? .now,
      beginning: { try beginning(of: url, $0) }, file: .url(url))
  }

  private static func beginning(of url: URL, _ count: Int) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    return [UInt8](try file.read(upToCount: count) ?? Data())
  }
}

extension SourcePicture {
  fileprivate init(unreadable url: URL, _ reason: String) {
    self.init(name: url.path, modifiedAt: .now, beginning: { _ in throw ImportError(reason) }, file: .bytes([]))
  }
}
