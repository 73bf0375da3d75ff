// What goes wrong, as a person reads it.
public import Foundation
import ModelRuntime

public struct ImportError: LocalizedError {
  public let errorDescription: String?

  init(_ description: String) {
    errorDescription = description
  }
}

extension Error {
  /// A sentence. The library's errors are one; what Foundation's print is for programmers.
  public var reason: String {
    switch self {
    case let error as StoreError: error.message
    case let error as FileError: error.message
    case let error as SyncError: error.message
    default: localizedDescription
    }
  }
}
