// Errors as sentences for people.
public import Foundation
import ModelRuntime

public struct ImportError: LocalizedError {
  public let errorDescription: String?

  init(_ description: String) {
    errorDescription = description
  }
}

extension Error {
  /// A sentence for people. The library's errors have one; others have Foundation's localised description.
  public var reason: String {
    switch self {
    case let error as StoreError: error.message
    case let error as FileError: error.message
    case let error as SyncError: error.message
    default: localizedDescription
    }
  }
}
