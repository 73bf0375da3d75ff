// The door to the engine: messages from bytes, and bytes from messages.

extension WireMessage {
  /// Reads records into this message: single values replace, messages merge, lists and sets grow.
  ///
  /// After an error the message holds valid, but partial values.
  public mutating func merge(_ blob: UnsafeRawBufferPointer) throws(WireError) {
    try decodeFields(blob, into: &self)
  }

  /// Reads records into this message: single values replace, messages merge, lists and sets grow.
  public mutating func merge(_ blob: [UInt8]) throws(WireError) {
    try blob.withUnsafeBufferPointer { bytes throws(WireError) in
      try decodeFields(UnsafeRawBufferPointer(bytes), into: &self)
    }
  }

  /// The canonical bytes. Throws `tooDeep` or `tooLarge` for a value that no reader would take.
  public func encoded() throws(WireError) -> [UInt8] {
    var failure: WireError?
    // Most blobs fit on the stack, and the array is then allotted once, at its size.
    let blob = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { memory in
      var writer = WireWriter(memory, ownsMemory: false)
      defer { writer.free() }
      failure = writer.write(self)
      return [UInt8](UnsafeRawBufferPointer(start: writer.base, count: writer.count))
    }
    if let failure { throw failure }
    return blob
  }
}

extension FieldProjection {
  /// Reads the fields that this type names and checks the records of all others.
  public init(scanning blob: UnsafeRawBufferPointer) throws(WireError) {
    self.init()
    try decodeFields(blob, into: &self)
  }

  /// Reads the fields that this type names and checks the records of all others.
  public init(scanning blob: [UInt8]) throws(WireError) {
    self.init()
    try blob.withUnsafeBufferPointer { bytes throws(WireError) in
      try decodeFields(UnsafeRawBufferPointer(bytes), into: &self)
    }
  }
}

@inline(__always)
func decodeFields<Message: FieldTabled>(_ blob: UnsafeRawBufferPointer, into message: inout Message) throws(WireError) {
  try withUnsafeMutableBytes(of: &message) { memory throws(WireError) in
    guard let address = memory.baseAddress else { return }
    try Message.fieldTable.decode(blob, into: address)
  }
}

extension WireWriter {
  /// Appends a whole blob; leaves the writer as it was, but for its memory, where it returns an error.
  mutating func write<Message: WireMessage>(_ message: borrowing Message) -> WireError? {
    let start = count
    do throws(WireError) {
      try withUnsafePointer(to: message) { address throws(WireError) in
        try Message.fieldTable.encode(UnsafeRawPointer(address), to: &self)
      }
      if count - start > WireLimits.maximumBytes { throw WireError(.tooLarge, at: WireLimits.maximumBytes) }
      return nil
    } catch {
      cursor = base + start
      depth = 0
      return error
    }
  }
}
