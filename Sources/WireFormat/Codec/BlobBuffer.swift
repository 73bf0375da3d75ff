// Memory that many blobs are written into, one after the other.

/// Bytes that grow and are used again: writing into one that is large enough allots nothing.
///
/// Owns its memory, hence not copyable. Memory is freed at the end of its life.
public struct BlobBuffer: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  /// In bytes.
  public private(set) var count = 0

  /// Room for `capacity` bytes is made at once.
  public init(capacity: Int = 0) {
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// Keeps the memory.
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

  /// Appends the canonical bytes of each message; `body` is told where they are.
  public mutating func append<Message: WireMessage>(
    contentsOf messages: [Message], _ body: (Range<Int>) -> Void = { _ in }
  ) throws(WireError) {
    // A loop by index in here: a loop over elements at the caller would retain each.
    for index in messages.indices { body(try append(messages[index])) }
  }

  /// The bytes are only there while `body` runs.
  public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: memory.baseAddress, count: count))
  }

  /// A copy of these bytes, which must have been written.
  public subscript(range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "behind the end of the buffer")
    return [UInt8](UnsafeRawBufferPointer(rebasing: memory[range]))
  }
}
