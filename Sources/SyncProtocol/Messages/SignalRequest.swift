// Signals: what members show to a queue for seconds, such as that somebody types.

package import JSON
package import WireFormat

/// Shows signals, or takes them back. A session shows one signal of a type in a queue: a newer one takes its place.
package struct SignalRequest: Hashable, Sendable {
  /// A random id of an open store. Of several devices of a user, the signal that was changed last is told.
  package var session: UUIDValue
  /// At most `ProtocolLimits.signals`.
  package var signals: [Change]

  package init(session: UUIDValue, signals: [Change]) { (self.session, self.signals) = (session, signals) }

  /// A signal that is shown, shown longer, or taken back.
  package struct Change: Hashable, Sendable {
    package var queue: QueueID
    package var type: String
    /// At most `ProtocolLimits.signalBytes`; nil takes it back.
    package var content: [UInt8]?
    /// For how long, from when the request arrives: 1 to `ProtocolLimits.signalSeconds`.
    package var seconds: Int

    package init(queue: QueueID, type: String, content: [UInt8]?, seconds: Int) {
      (self.queue, self.type, self.content, self.seconds) = (queue, type, content, seconds)
    }
  }
}

package struct SignalAnswer: Hashable, Sendable {
  /// The server's clock.
  package var time: Timestamp
  /// How many of the changes the server took. It takes none of users who are no members, and not more than its limits.
  package var taken: Int

  package init(time: Timestamp, taken: Int) { (self.time, self.taken) = (time, taken) }
}

/// A queue whose signals a poll follows.
package struct WatchedQueue: Hashable, Sendable {
  package var queue: QueueID
  /// The `state` that the server told last; nil before.
  package var state: UUIDValue?

  package init(_ queue: QueueID, state: UUIDValue? = nil) { (self.queue, self.state) = (queue, state) }
}

/// All signals that others show to a queue.
package struct QueueSignals: Hashable, Sendable {
  package var queue: QueueID
  /// Stands for these signals, for the next poll; nil if there are none.
  package var state: UUIDValue?
  package var signals: [Signal]

  package init(queue: QueueID, state: UUIDValue?, signals: [Signal]) {
    (self.queue, self.state, self.signals) = (queue, state, signals)
  }

  package static func none(in queue: QueueID) -> Self { Self(queue: queue, state: nil, signals: []) }

  package struct Signal: Hashable, Sendable {
    package var user: UserID
    package var type: String
    package var content: [UInt8]

    package init(user: UserID, type: String, content: [UInt8]) {
      (self.user, self.type, self.content) = (user, type, content)
    }
  }
}

extension SignalRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      session: try reader.required("session", .uuid),
      signals: try reader.required("signals", .list(.message, atMost: ProtocolLimits.signals)))
  }

  package var json: JSONValue { ["session": .id(session), "signals": .list(signals)] }
}

extension SignalRequest.Change: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .id()), type: try reader.required("type", .typeName),
      content: try reader.optional("content", .bytes(atMost: ProtocolLimits.signalBytes)),
      seconds: try reader.required("seconds", .count(in: 1...ProtocolLimits.signalSeconds)))
  }

  package var json: JSONValue {
    [
      "queue": .id(queue), "type": .string(type), "content": content.map { .base64($0) } ?? .null,
      "seconds": .count(seconds),
    ]
  }
}

extension SignalAnswer: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      time: try reader.required("time", .timestamp),
      taken: try reader.required("taken", .count(in: 0...ProtocolLimits.signals)))
  }

  package var json: JSONValue { ["time": .time(time), "taken": .count(taken)] }
}

extension WatchedQueue: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(try reader.required("queue", .id()), state: try reader.optional("state", .uuid))
  }

  package var json: JSONValue { ["queue": .id(queue), "state": .id(state)] }
}

extension QueueSignals: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .id()), state: try reader.optional("state", .uuid),
      signals: try reader.required("signals", .list(.message, atMost: ProtocolLimits.queueSignals)))
  }

  package var json: JSONValue {
    ["queue": .id(queue), "state": .id(state), "signals": .list(signals)]
  }
}

extension QueueSignals.Signal: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      user: try reader.required("user", .id()), type: try reader.required("type", .typeName),
      content: try reader.required("content", .bytes(atMost: ProtocolLimits.signalBytes)))
  }

  package var json: JSONValue { ["user": .id(user), "type": .string(type), "content": .base64(content)] }
}
