// A folder with pictures and videos, subfolders and linked folders included.
import Foundation
import ModelRuntime

public struct PhotoFolder: PhotoSource {
  let folder: URL

  public init(_ folder: URL) {
    self.folder = folder
  }

  /// Lists all files, in the order of their paths. Throws if the folder itself cannot be read.
  ///
  /// A picture or video is one by its bytes, whatever its name. A file or subfolder that cannot be read, and a file that
  /// is a picture or video by its name only, is listed as an unreadable picture, so that the import reports it. Hidden files
  /// and folders are not listed, nor are the `@eaDir` in which a Synology keeps its thumbnails.
  public func list() throws -> SourceList {
    var list = SourceList()
    // A linked folder is the same as its target, and may be one that the link is in.
    var seen: Set<FileIdentity> = []
    var folders = [folder]
    while let next = folders.popLast() {
      if let identity = FileIdentity(next), !seen.insert(identity).inserted { continue }
      do { try add(next, to: &list, &folders) } catch {
        guard next != folder else { throw ImportError("The folder \(folder.path) cannot be read: \(error.reason)") }
        list.pictures.append(SourcePicture(unreadable: next, "The folder cannot be read: \(error.reason)"))
      }
    }
    list.pictures.sort { $0.name < $1.name }
    list.leftOut.sort { $0.name < $1.name }
    return list
  }

  private func add(_ folder: URL, to list: inout SourceList, _ folders: inout [URL]) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names.sorted() where !name.hasPrefix(".") && name != "@eaDir" {
      let url = folder.appending(path: name)
      guard let identity = FileIdentity(url) else {
        list.pictures.append(SourcePicture(unreadable: url, Self.reasonOfAbsence(url)))
        continue
      }
      switch identity.kind {
      case .folder: folders.append(url)
      case .file: Self.add(file: url, modifiedAt: identity.modifiedAt, to: &list)
      case .other: break
      }
    }
  }

  private static func add(file url: URL, modifiedAt: Date, to list: inout SourceList) {
    // A file that may not be read is listed as a JPEG, and the import says why it fails.
    let start = (try? bytes(of: url, 0, FileKind.startCount)) ?? [0xFF, 0xD8]
    switch FileKind(start: start, extension: url.pathExtension) {
    case .picture(let mime):
      list.pictures.append(
        SourcePicture(
          name: url.path, mime: mime, modifiedAt: modifiedAt, read: { try bytes(of: url, $0, $1) }, file: .url(url)))
    case .misnamed(let reason): list.pictures.append(SourcePicture(unreadable: url, reason))
    case .leftOut(let kind): list.leftOut.append(LeftOutFile(name: url.path, kind: kind))
    }
  }

  private static func reasonOfAbsence(_ url: URL) -> String {
    // Foundation puts this character where a name has bytes that are not UTF-8, and then finds no such file.
    if url.path.contains("\u{FFFD}") { return "Its path is not UTF-8; give it another name." }
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
    return isLink ? "It is a link that leads nowhere." : "It may not be read, or has gone."
  }

  private static func bytes(of url: URL, _ offset: Int, _ count: Int) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(offset))
    return [UInt8](try file.read(upToCount: count) ?? Data())
  }
}

extension SourcePicture {
  fileprivate init(unreadable url: URL, _ reason: String) {
    self.init(
      name: url.path, mime: "image/jpeg", modifiedAt: .now, read: { _, _ in throw ImportError(reason) },
      file: .bytes([]))
  }
}
