// The sources of pictures for an import.
import Foundation
import ModelRuntime

/// A place with pictures. A folder is one; on Apple platforms the system's photo library would be another.
public protocol PhotoSource: Sendable {
  /// Lists all pictures. Their contents are read later.
  func pictures() throws -> [SourcePicture]
}

/// A picture at its source.
public struct SourcePicture: Sendable {
  /// The name that a person knows it by.
  public let name: String
  /// Used if the picture does not say when it was taken.
  public let modifiedAt: Date
  /// Reads up to `count` bytes from the beginning.
  let beginning: @Sendable (_ count: Int) throws -> [UInt8]
  let file: FileSource
}
