// An object as the server knows it.

public import WireFormat

/// The newest state of one object of a queue, as a delta brings it.
public struct ObjectState: Hashable, Sendable {
  public var id: UUIDValue
  /// The queue's number for this state; grows with every change of any of its objects.
  public var revision: Int64
  /// The type name and the bytes; nil for an object that was deleted.
  public var live: Live?

  public init(id: UUIDValue, revision: Int64, live: Live?) {
    self.id = id
    self.revision = revision
    self.live = live
  }

  /// An object that is there, as bytes.
  public struct Live: Hashable, Sendable {
    /// The name of its model, or of an object of sync; see `ProtocolLimits.isTypeName`.
    public var type: String
    /// Its blob, at most `ProtocolLimits.objectBytes`.
    public var content: [UInt8]
    /// By which new devices load the newest objects first.
    public var newestBy: Int64?
    /// The user who created it, as the server saw it: cannot be forged, unlike a field of the content.
    public var createdBy: UUIDValue

    public init(type: String, content: [UInt8], newestBy: Int64? = nil, createdBy: UUIDValue) {
      self.type = type
      self.content = content
      self.newestBy = newestBy
      self.createdBy = createdBy
    }
  }
}
