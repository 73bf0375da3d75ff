// How a store keeps files.

/// Where fetched files lie, and how many.
public struct FileOptions: Sendable {
  /// The folder for what can be fetched again; no other store may use it.
  ///
  /// Nil: in the user's caches on Apple platforms, elsewhere in the store's folder.
  public var cacheFolder: String?
  /// How many bytes of fetched files and of variants stay, apart from those in use.
  public var cacheBytes: Int64
  /// The variants that an app makes of files, by name (docs/guides/files.md, "Variants").
  ///
  /// A name has 1 to 32 letters `a` to `z`, digits and hyphens; `part` and `new` are no names.
  public var variants: [String: FileVariant]
  /// Nil: the system's.
  package var disk: (any FileDisk)?

  /// Unless told, 1 GiB of fetched files and variants stay.
  public init(
    cacheFolder: String? = nil, cacheBytes: Int64 = 1 << 30, variants: [String: FileVariant] = [:]
  ) {
    (self.cacheFolder, self.cacheBytes, self.variants) = (cacheFolder, cacheBytes, variants)
  }
}
