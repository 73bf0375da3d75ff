// Where the files that users share lie: a folder, or a bucket.

import Commands
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
      if text.contains("://") || text.lowercased().hasPrefix("s3:") {
        throw Mistake.usage("--files: \(text) is neither a folder nor s3://BUCKET.")
      }
      self = .folder(text)
      return
    }
    do { self = .bucket(try S3Bucket(text, environment: environment)) } catch {
      throw Mistake.usage("--files: \(error)")
    }
  }

  /// Looks whether the folder or the bucket is there; makes the folder if `creates` says so. A bucket that does not
  /// answer now may do so later.
  func open(creates: Bool) throws -> any FileStorage {
    switch self {
    case .folder(let path):
      guard creates || FileManager.default.fileExists(atPath: path) else {
        throw Mistake.inputOutput("--files: there is no folder \(path); `serve --create` makes one.")
      }
      do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
        throw Mistake.inputOutput("--files: the folder \(path) cannot be made: \(error.localizedDescription)")
      }
      return FolderStorage(path: path)
    case .bucket(let bucket):
      let storage = S3Storage(bucket)
      do throws(StorageError) { try storage.check() } catch {
        guard error.code == .busy else { throw Mistake.inputOutput("--files: \(error)") }
        Terminal.error("warning: --files: \(error) Files wait until it answers.")
      }
      return storage
    }
  }

  /// Calls to a bucket wait for a network, so many may wait at a time.
  var threads: Int { if case .bucket = self { 32 } else { 4 } }
}
