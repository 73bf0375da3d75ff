// How far the transfer of files has come, for an app to show.

/// Where a file is, and what is happening to it. Sizes are in bytes.
public enum FileStatus: Hashable, Sendable {
  /// Here, and on no server: no saved object names it yet, or its object never leaves the device.
  case local
  /// Under way, or waiting for its turn; `sent`: bytes that the server has.
  case uploading(sent: Int64, of: Int64)
  /// Here and on the server.
  case uploaded
  /// Somebody has asked for it: it is under way, or waits for its turn.
  case downloading(received: Int64, of: Int64)
  /// Not here, and nobody has asked for it; whether the server has it is not known.
  case remote
  /// The transfer has stopped. It is tried again, unless the error `isFinal`.
  case failed(FileError)
}

/// What is still to go up and to come down, over all files: counts of files, and bytes.
public struct FileProgress: Hashable, Sendable {
  /// Files that are still to go up, counted once for each queue.
  public var uploads = 0
  /// The size of these files together; 0 for one that is not on this device.
  public var uploadBytes: Int64 = 0
  /// Of `uploadBytes`, what the server has already.
  public var sentBytes: Int64 = 0
  /// Files that somebody waits for.
  public var downloads = 0
  /// The size of these files together, as the objects say that name them.
  public var downloadBytes: Int64 = 0
  /// Of `downloadBytes`, what has come.
  public var receivedBytes: Int64 = 0
  /// Those of `uploads` and `downloads` whose last attempt has failed.
  public var failed = 0

  public init() {}

  /// Whether nothing is to go up or to come down; an upload that has failed still is.
  public var isIdle: Bool { uploads == 0 && downloads == 0 }
}
