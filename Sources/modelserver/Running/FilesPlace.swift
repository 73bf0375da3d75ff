// Where the files that users share lie: a folder, or a bucket.

import Foundation
import SyncS3
import SyncServer

/// What `--files` names.
enum FilesPlace: Sendable {
  case folder(String)
  case bucket(S3Bucket)

  /// The bucket's service and key are in the environment.
  init(_ text: String, _ environment: [String: String]) throws {
    guard S3Bucket.isNamed(by: text) else {
      self = .folder(text)
      return
    }
    do { self = .bucket(try S3Bucket(text, environment: environment)) } catch {
      throw Mistake.usage("--files: \(error)")
    }
  }

  /// Makes the folder, or looks whether the bucket is there.
  func open() throws -> any FileStorage {
    switch self {
    case .folder(let path):
      do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
        throw Mistake.inputOutput("--files: the folder \(path) cannot be made: \(error.localizedDescription)")
      }
      return FolderStorage(path: path)
    case .bucket(let bucket):
      let storage = S3Storage(bucket)
      do { try storage.check() } catch { throw Mistake.inputOutput("--files: \(error)") }
      return storage
    }
  }

  /// Calls to a bucket wait for a network, so many may wait at a time.
  var threads: Int { if case .bucket = self { 32 } else { 4 } }
}
