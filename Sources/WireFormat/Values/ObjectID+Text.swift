// The text form of an object's id, which is that of its UUID.

extension ObjectID: LosslessStringConvertible {
  public var description: String { rawValue.description }

  /// The 36 characters of RFC 9562, in either case; nil for everything else.
  public init?(_ description: String) {
    guard let rawValue = UUIDValue(description) else { return nil }
    self.init(rawValue)
  }
}
