// The text and byte forms of an object's id, which are those of its UUID.

extension ObjectID: LosslessStringConvertible {
  public var description: String { rawValue.description }

  /// The 36 characters of RFC 9562, in either case; nil for everything else.
  public init?(_ description: String) {
    guard let rawValue = UUIDValue(description) else { return nil }
    self.init(rawValue)
  }

  /// 16 bytes, in the order of the text; nil for any other number of bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard let rawValue = UUIDValue(bytes: bytes) else { return nil }
    self.init(rawValue)
  }
}
