// Finds the files that an object names after a patch, so that its change can list them.

import SyncProtocol
import WireFormat

extension Patch {
  /// The files in the fields that the patch touches, as they are after it; `content` is the object before it.
  func files<Object: Model>(after content: [UInt8], of _: Object.Type) throws(WireError) -> [FileField] {
    guard !Object.fileTags.isEmpty else { return [] }
    let touched = Object.fileTags.filter(tags.contains)
    guard !touched.isEmpty else { return [] }
    let after = try merged(into: content)
    var fields: [FileField] = []
    for tag in touched {
      var hashes: Set<ContentHash> = []
      try FileScan.collect(tag, of: after, Object.fieldTable, into: &hashes)
      fields.append(FileField(tag: tag, of: hashes))
    }
    return fields
  }
}

/// Finds file references in the bytes of a message.
private enum FileScan {
  /// Collects the files in one field.
  static func collect(
    _ tag: Int, of content: [UInt8], _ table: FieldTable, into hashes: inout Set<ContentHash>
  ) throws(WireError) {
    var failure: WireError?
    content.withUnsafeBytes { bytes in
      do throws(WireError) {
        try collect(bytes, 0..<bytes.count, table, only: tag, depth: 0, into: &hashes)
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private static func collect(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ table: FieldTable, only tag: Int?, depth: Int,
    into hashes: inout Set<ContentHash>
  ) throws(WireError) {
    guard depth < WireLimits.maximumDepth else { throw WireError(.tooDeep, at: range.lowerBound) }
    var reader = RecordReader(bytes, in: range)
    while let record = try reader.next() {
      guard tag ?? record.tag == record.tag, record.wireType == .length,
        case .structure(let type)? = table.type(of: record.tag)?.element
      else { continue }
      if type == FileReference.self {
        var file = FileReference.zero
        try file.merge(Array(bytes[record.value]))
        if file.hash != .zero { hashes.insert(file.hash) }
      } else {
        try collect(bytes, record.value, type.fieldTable, only: nil, depth: depth + 1, into: &hashes)
      }
    }
  }
}
