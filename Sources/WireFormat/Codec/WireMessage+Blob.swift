// The entry points of the engine: messages from bytes, and bytes from messages.

extension WireMessage {
  /// Reads records into this message: single values replace, messages merge, lists and sets grow.
  ///
  /// After an error the message is only partly read, and its sets may be out of order. It should be discarded.
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
    // Most blobs fit on the stack. The array is then allocated once, with its final size.
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

extension FieldTabled {
  /// The canonical bytes of the fields in the table. Throws `tooDeep` or `tooLarge` as `encoded` does.
  public func encodedFields() throws(WireError) -> [UInt8] {
    var writer = WireWriter(UnsafeMutableRawBufferPointer(start: nil, count: 0), ownsMemory: false)
    defer { writer.free() }
    if let failure = writer.write(self) { throw failure }
    return [UInt8](UnsafeRawBufferPointer(start: writer.base, count: writer.count))
  }
}

extension FieldTabled {
  /// Reads records into the properties of this value, as `WireMessage.merge` does.
  package mutating func readFields(_ bytes: [UInt8]) throws(WireError) {
    try bytes.withUnsafeBufferPointer { bytes throws(WireError) in
      try decodeFields(UnsafeRawBufferPointer(bytes), into: &self)
    }
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
  /// Appends a whole blob. If it returns an error, nothing is appended, but the memory may have grown.
  mutating func write<Message: FieldTabled>(_ message: borrowing Message) -> WireError? {
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

/// The records of a field with this value, in canonical form; empty if the value is absent.
///
/// `plan` must be that of the value's type. Throws `tooDeep` or `tooLarge` for a value that no reader would take.
func recordsOfField<Value>(_ tag: Int, _ plan: FieldPlan, _ value: Value) throws(WireError) -> [UInt8] {
  precondition(1...WireLimits.maximumTag ~= tag, "tag out of range")
  var writer = WireWriter(UnsafeMutableRawBufferPointer(start: nil, count: 0), ownsMemory: false)
  defer { writer.free() }
  writer.reserve(0)
  let slot = FieldSlot(tag, plan, offset: 0)
  defer { withExtendedLifetime(plan) {} }
  try withUnsafePointer(to: value) { address throws(WireError) in
    try slot.write(UnsafeRawPointer(address), to: &writer)
  }
  if writer.count > WireLimits.maximumBytes { throw WireError(.tooLarge, at: WireLimits.maximumBytes) }
  return [UInt8](UnsafeRawBufferPointer(start: writer.base, count: writer.count))
}
