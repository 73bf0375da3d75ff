// The options of a store for files: its cache and its variants.

public import Foundation

/// Where fetched files are cached, how many bytes stay, and which variants there are.
public struct FileOptions: Sendable {
  /// The folder for files that can be fetched again. No other store may use it.
  ///
  /// Nil means the user's caches on Apple platforms, and a folder in the store's folder elsewhere.
  public var cacheFolder: URL?
  /// The limit for fetched files and variants, in bytes. Files in use may exceed it.
  public var cacheBytes: Int64
  /// The variants that an app makes of files, by name (docs/guides/files.md, "Variants").
  ///
  /// A name has 1 to 32 letters `a` to `z`, digits and hyphens; `part` and `new` are not allowed.
  public var variants: [String: FileVariant]
  /// Nil means the file system.
  package var disk: (any FileDisk)?

  /// By default 1 GiB of fetched files and variants stay.
  public init(
    cacheFolder: URL? = nil, cacheBytes: Int64 = 1 << 30, variants: [String: FileVariant] = [:]
  ) {
    (self.cacheFolder, self.cacheBytes, self.variants) = (cacheFolder, cacheBytes, variants)
  }
}
