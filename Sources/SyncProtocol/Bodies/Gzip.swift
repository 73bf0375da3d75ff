// Compresses the bodies of requests and answers: gzip (RFC 1952), by zlib.

import CZlib

package enum Gzip {
  /// The name in `Content-Encoding` and `Accept-Encoding`.
  package static let coding = "gzip"
  /// The sizes of bodies that are compressed, in bytes. Smaller ones fit into a packet as they are; larger ones are
  /// sent only where the connection is fast.
  package static let worthwhile = 1_024...(2 << 20)
  /// Half as fast as zlib's fastest, and a fifth smaller with texts.
  private static let level: Int32 = 4
  /// Adds gzip's head and end to what zlib makes of 32 KiB of memory.
  private static let windowBits: Int32 = 15 + 16
  private static let piece = 64 << 10

  /// Compresses a body; nil if its size is not `worthwhile`, or it would not become smaller.
  package static func compress(_ body: [UInt8]) -> [UInt8]? {
    guard worthwhile.contains(body.count) else { return nil }
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    return body.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = uInt(input.count)
      let compressed = [UInt8](unsafeUninitializedCapacity: body.count) { output, count in
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        // What does not fit is not smaller than the body.
        count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : 0
      }
      return compressed.isEmpty ? nil : compressed
    }
  }

  /// Decompresses a body. Before each piece of at most 64 KiB is kept, `take` hears its size and may throw. Throws
  /// `badRequest` if the bytes are no gzip, break off, or go on behind its end.
  package static func decompress(_ body: [UInt8], take: (Int) throws -> Void) throws -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw RequestError(.unavailable, "The server has too much to read now.")
    }
    defer { inflateEnd(&stream) }
    return try body.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = uInt(input.count)
      var whole: [UInt8] = []
      var status = Z_OK
      while status == Z_OK {
        let next = [UInt8](unsafeUninitializedCapacity: piece) { output, count in
          stream.next_out = output.baseAddress
          stream.avail_out = uInt(output.count)
          status = inflate(&stream, Z_NO_FLUSH)
          count = output.count - Int(stream.avail_out)
        }
        try take(next.count)
        whole.append(contentsOf: next)
      }
      guard status == Z_STREAM_END, stream.avail_in == 0 else {
        throw RequestError(.badRequest, "The body is not gzip, or it is cut off.")
      }
      return whole
    }
  }
}
