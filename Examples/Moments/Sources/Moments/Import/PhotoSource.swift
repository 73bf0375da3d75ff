// The sources of pictures for an import.
import Foundation
import ModelRuntime

/// A place with pictures. A folder is one; on Apple platforms the system's photo library would be another.
public protocol PhotoSource: Sendable {
  /// Lists everything. Contents are read later.
  func list() throws -> SourceList
}

/// The contents of a source.
public struct SourceList: Sendable {
  public var pictures: [SourcePicture] = []
  /// Files that are no pictures, or none that Moments reads.
  public var leftOut: [LeftOutFile] = []
}

/// A picture or video at its source.
public struct SourcePicture: Sendable {
  /// The name that a person knows it by.
  public let name: String
  public let mime: String
  /// Used if the picture does not say when it was taken.
  public let modifiedAt: Date
  /// Reads up to `count` bytes.
  let read: @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]
  let file: FileSource

  var isVideo: Bool { mime.hasPrefix("video/") }
}

/// A file that an import leaves out.
public struct LeftOutFile: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case raw = "raw pictures"
    case otherPicture = "pictures in other formats"
    case unknown = "files of unknown kinds"
  }

  public let name: String
  public let kind: Kind
}
