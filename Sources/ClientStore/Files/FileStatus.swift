// How far a file is, as apps show it.

/// Where a file is, and what is done with it. Sizes are in bytes.
public enum FileStatus: Hashable, Sendable {
  /// Here, and on no server: nothing saved names it yet, or its object never leaves the device.
  case local
  /// `sent` is what the server has.
  case uploading(sent: Int64, of: Int64)
  /// Here and on the server.
  case uploaded
  /// Somebody waits for it.
  case downloading(received: Int64, of: Int64)
  /// Not here; the server may have it.
  case remote
  /// It does not go on for now; where `isFinal`, not at all.
  case failed(FileError)
}

/// What is to go up and come down, of all files. Sizes are in bytes.
public struct FileProgress: Hashable, Sendable {
  public var uploads = 0
  public var uploadBytes: Int64 = 0
  /// Of `uploadBytes`, what the server has already.
  public var sentBytes: Int64 = 0
  public var downloads = 0
  public var downloadBytes: Int64 = 0
  public var receivedBytes: Int64 = 0
  /// Of both, those whose last attempt has failed.
  public var failed = 0

  public init() {}

  public var isIdle: Bool { uploads == 0 && downloads == 0 }
}
