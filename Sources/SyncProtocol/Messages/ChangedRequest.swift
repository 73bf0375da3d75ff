// The long poll: which queues have something to fetch.

public import WireFormat

/// Waits until one of the queues has something that the client does not have.
public struct ChangedRequest: Hashable, Sendable {
  /// At most `ProtocolLimits.changedQueues`, each once.
  public var queues: [Queue]
  /// At most `ProtocolLimits.waitSeconds`; 0 asks without waiting.
  public var waitSeconds: Int

  public init(queues: [Queue], waitSeconds: Int) {
    self.queues = queues
    self.waitSeconds = waitSeconds
  }

  /// The client's place in one queue; nil for a value that it has not heard yet.
  public struct Queue: Hashable, Sendable {
    public var queue: UUIDValue
    public var epoch: UUIDValue?
    public var grant: UUIDValue?
    public var cursor: Int64?

    public init(queue: UUIDValue, epoch: UUIDValue? = nil, grant: UUIDValue? = nil, cursor: Int64? = nil) {
      self.queue = queue
      self.epoch = epoch
      self.grant = grant
      self.cursor = cursor
    }
  }
}

/// A hint: a queue may be named in vain, so the client asks for its delta.
public struct ChangedAnswer: Hashable, Sendable {
  /// The server's clock.
  public var time: Timestamp
  /// The queues that have something to fetch. Empty if the wait has run out.
  public var queues: [UUIDValue]

  public init(time: Timestamp, queues: [UUIDValue]) {
    self.time = time
    self.queues = queues
  }
}

extension ChangedRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queues: try reader.required("queues", .list(.message, atMost: ProtocolLimits.changedQueues)),
      waitSeconds: try reader.required("waitSeconds", .count(in: 0...ProtocolLimits.waitSeconds)))
  }

  package var json: JSONValue { ["queues": .list(queues), "waitSeconds": .count(waitSeconds)] }
}

extension ChangedRequest.Queue: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .uuid),
      epoch: try reader.optional("epoch", .uuid),
      grant: try reader.optional("grant", .uuid),
      cursor: try reader.optional("cursor", .revision))
  }

  package var json: JSONValue {
    ["queue": .id(queue), "epoch": .id(epoch), "grant": .id(grant), "cursor": .int64(cursor)]
  }
}

extension ChangedAnswer: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      time: try reader.required("time", .timestamp),
      queues: try reader.required("queues", .list(.uuid, atMost: ProtocolLimits.changedQueues)))
  }

  package var json: JSONValue { ["time": .time(time), "queues": .list(texts: queues)] }
}
