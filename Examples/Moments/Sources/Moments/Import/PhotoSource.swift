// Where pictures come from.
import Foundation
import ModelRuntime

/// A place with pictures. A folder is one; on Apple platforms the system's photo library would be another.
public protocol PhotoSource: Sendable {
  /// All pictures there; nothing of them is read yet.
  func pictures() throws -> [SourcePicture]
}

/// A picture at its source.
public struct SourcePicture: Sendable {
  /// What a person knows it by.
  public let name: String
  /// Used where the picture does not say when it was taken.
  public let modifiedAt: Date
  /// Up to so many bytes from its beginning.
  let beginning: @Sendable (_ count: Int) throws -> [UInt8]
  let file: FileSource
}
