// Memory that many blobs are written into, one after the other.

/// A growing buffer of bytes that can be reused. Writing allocates nothing as long as its memory is large enough.
///
/// Owns its memory, so it is not copyable, and frees it at the end of its life.
public struct BlobBuffer: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  /// How many bytes have been written.
  public private(set) var count = 0

  /// Allocates room for `capacity` bytes.
  public init(capacity: Int = 0) {
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// Removes all bytes, and keeps the memory.
  public mutating func removeAll() {
    count = 0
  }

  /// Appends the canonical bytes of a message and returns where they are.
  ///
  /// Throws `tooDeep` or `tooLarge`, and then appends nothing.
  @discardableResult
  public mutating func append<Message: WireMessage>(_ message: borrowing Message) throws(WireError) -> Range<Int> {
    let start = count
    var writer = WireWriter(memory, count: count, ownsMemory: true)
    let failure = writer.write(message)
    memory = UnsafeMutableRawBufferPointer(start: writer.base, count: writer.capacity)
    if let failure { throw failure }
    count = writer.count
    return start..<count
  }

  /// Appends the canonical bytes of each message, and calls `body` with their range. Messages before one that throws
  /// stay.
  public mutating func append<Message: WireMessage>(
    contentsOf messages: [Message], _ body: (Range<Int>) -> Void = { _ in }
  ) throws(WireError) {
    // The loop over indices is in here, because a loop over elements at the caller would retain each element.
    for index in messages.indices { body(try append(messages[index])) }
  }

  /// The bytes are valid only while `body` runs.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: memory.baseAddress, count: count))
  }

  /// A copy of these bytes. Traps if they have not been written.
  public subscript(range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "behind the end of the buffer")
    return [UInt8](UnsafeRawBufferPointer(rebasing: memory[range]))
  }
}
