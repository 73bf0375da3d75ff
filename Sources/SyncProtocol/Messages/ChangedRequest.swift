// The long poll: which queues have something to fetch.

package import WireFormat

/// Waits until one of the queues has something that the client does not have.
package struct ChangedRequest: Hashable, Sendable {
  /// At most `ProtocolLimits.changedQueues`, each once.
  package var queues: [Queue]
  /// At most `ProtocolLimits.waitSeconds`; 0 asks without waiting.
  package var waitSeconds: Int

  package init(queues: [Queue], waitSeconds: Int) {
    self.queues = queues
    self.waitSeconds = waitSeconds
  }

  /// The client's place in one queue; nil for a value that it has not heard yet.
  package struct Queue: Hashable, Sendable {
    package var queue: QueueID
    package var epoch: EpochID?
    package var grant: GrantID?
    package var cursor: Int64?

    package init(queue: QueueID, epoch: EpochID? = nil, grant: GrantID? = nil, cursor: Int64? = nil) {
      self.queue = queue
      self.epoch = epoch
      self.grant = grant
      self.cursor = cursor
    }
  }
}

/// A hint: a queue may be named in vain, so the client asks for its delta.
package struct ChangedAnswer: Hashable, Sendable {
  /// The server's clock.
  package var time: Timestamp
  /// The queues that have something to fetch. Empty if the wait has run out.
  package var queues: [QueueID]

  package init(time: Timestamp, queues: [QueueID]) {
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
      queue: try reader.required("queue", .id()),
      epoch: try reader.optional("epoch", .id()),
      grant: try reader.optional("grant", .id()),
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
      queues: try reader.required("queues", .list(.id(), atMost: ProtocolLimits.changedQueues)))
  }

  package var json: JSONValue { ["time": .time(time), "queues": .list(texts: queues)] }
}
