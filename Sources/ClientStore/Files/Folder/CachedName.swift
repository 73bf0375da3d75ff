// Names of entries in the cache of files.

import WireFormat

/// A file, or a variant of one, by its name in the cache: `HASH` or `HASH.VARIANT`.
struct CachedName: Hashable, Comparable, CustomStringConvertible {
  let hash: ContentHash
  let variant: String?

  init(_ hash: ContentHash, _ variant: String? = nil) { (self.hash, self.variant) = (hash, variant) }

  /// Nil for anything else, as what is not whole yet.
  init?(_ name: String) {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let hash = ContentHash(String(parts[0])) else { return nil }
    let variant = parts.count == 2 ? String(parts[1]) : nil
    if let variant, !Self.isVariant(variant) { return nil }
    self.init(hash, variant)
  }

  /// 1 to 32 letters, digits and hyphens; what files are called that are not whole yet is none.
  static func isVariant(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
    return isPlain && (1...32).contains(name.utf8.count) && name != "part" && name != "new"
  }

  var description: String { variant.map { "\(hash).\($0)" } ?? "\(hash)" }

  static func < (left: Self, right: Self) -> Bool {
    (left.hash, left.variant ?? "") < (right.hash, right.variant ?? "")
  }
}
