// The status of files and the progress of their transfers, for an app to show.

/// Where a file is, and what is happening to it. Sizes are in bytes.
public enum FileStatus: Hashable, Sendable {
  /// On this device and on no server: no saved object names it yet, or its object never leaves the device.
  case local
  /// The upload is under way or waits for its turn; `sent` bytes are on the server.
  case uploading(sent: Int64, of: Int64)
  /// On this device and on the server.
  case uploaded
  /// Somebody has asked for the file. Its download is under way or waits for its turn.
  case downloading(received: Int64, of: Int64)
  /// Not on this device, and nobody has asked for it. The server may have it or not.
  case remote
  /// The transfer has stopped. It is retried, unless the error `isFinal`.
  case failed(FileError)
}

/// The uploads and downloads that remain, over all files: numbers of files, and bytes.
public struct FileProgress: Hashable, Sendable {
  /// Files to upload, counted once for each queue.
  public var uploads = 0
  /// The size of these files together; a file that is not on this device counts as 0.
  public var uploadBytes: Int64 = 0
  /// The part of `uploadBytes` that is on the server already.
  public var sentBytes: Int64 = 0
  /// Files that somebody waits for.
  public var downloads = 0
  /// The size of these files together, as the objects that name them say.
  public var downloadBytes: Int64 = 0
  /// The part of `downloadBytes` that has arrived.
  public var receivedBytes: Int64 = 0
  /// The files among `uploads` and `downloads` whose last attempt has failed.
  public var failed = 0

  /// Nothing to upload or download, for previews and tests.
  public init() {}

  /// Whether nothing is left to upload or to download. A failed upload is still left.
  public var isIdle: Bool { uploads == 0 && downloads == 0 }
}
