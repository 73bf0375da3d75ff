// One range of bytes of a file (RFC 9110, section 14.1.2).

enum ByteRange {
  case whole
  case part(Range<Int64>)
  case unsatisfiable

  /// Reads a `Range` field. Ignores one with several ranges, with another unit, or that cannot be read.
  init(_ field: String?, size: Int64) {
    self = .whole
    guard let field, field.lowercased().hasPrefix("bytes="), !field.contains(",") else { return }
    let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map(\.trimmed)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return }
    switch (Int64(ends[0]), Int64(ends[1])) {
    case (let first?, let last?) where first <= last:
      // One more than the largest number would overflow.
      self = first < size ? .part(first..<(last < size - 1 ? last + 1 : size)) : .unsatisfiable
    case (let first?, nil) where ends[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (nil, let count?) where ends[0].isEmpty:
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    default: return
    }
  }
}
