// Names of entries in the cache of files.

import WireFormat

/// A file, or a variant of one, by its name in the cache: `HASH` or `HASH.VARIANT`.
struct CachedName: Hashable, Comparable, CustomStringConvertible {
  let hash: ContentHash
  let variant: String?

  init(_ hash: ContentHash, _ variant: String? = nil) { (self.hash, self.variant) = (hash, variant) }

  /// Nil for any other name, such as that of a file that is still being written.
  init?(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let hash = ContentHash(String(parts[0])) else { return nil }
    let variant = parts.count == 2 ? String(parts[1]) : nil
    if let variant, !Self.isVariant(variant) { return nil }
    self.init(hash, variant)
  }

  /// Whether a name has 1 to 32 letters `a` to `z`, digits and hyphens. `part` and `new` are the extensions of files
  /// that are still being written, so they are not allowed.
  static func isVariant(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    return isPlain && (1...32).contains(name.utf8.count) && name != "part" && name != "new"
  }

  var description: String { variant.map { "\(hash).\($0)" } ?? "\(hash)" }

  static func < (left: Self, right: Self) -> Bool {
    (left.hash, left.variant ?? "") < (right.hash, right.variant ?? "")
  }
}
