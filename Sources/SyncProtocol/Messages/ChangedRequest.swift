// The long poll: whether any queue of the user has something to fetch.

package import JSON
package import WireFormat

/// Waits until a queue of the user is at another place than the client knows.
package struct ChangedRequest: Hashable, Sendable {
  /// The places that the client knows. Nil asks for the time only.
  package var sums: PlaceSums?
  /// At most `ProtocolLimits.waitSeconds`; 0 asks without waiting. Without sums nothing waits.
  package var waitSeconds: Int
  /// The queues whose signals the client follows, at most `ProtocolLimits.watchedQueues`.
  package var watched: [WatchedQueue]

  package init(sums: PlaceSums?, waitSeconds: Int, watched: [WatchedQueue] = []) {
    (self.sums, self.waitSeconds, self.watched) = (sums, waitSeconds, watched)
  }
}

/// A hint: the client compares places to find the queues that have something to fetch.
package struct ChangedAnswer: Hashable, Sendable {
  /// The server's clock.
  package var time: Timestamp
  /// The ranges in which a queue is at another place, ascending, but not always all of them. Empty if no such range is
  /// known.
  package var ranges: [Int]
  /// Every queue of these ranges of which the user is a member.
  package var places: [Head]
  /// The signals of each watched queue where others than the client knows are shown.
  package var signals: [QueueSignals]

  package init(time: Timestamp, ranges: [Int], places: [Head], signals: [QueueSignals] = []) {
    (self.time, self.ranges, self.places, self.signals) = (time, ranges, places, signals)
  }

  /// The place of a queue for one of its members.
  package struct Head: Hashable, Sendable {
    package var queue: QueueID
    package var grant: GrantID
    package var head: Int64

    package init(queue: QueueID, grant: GrantID, head: Int64) {
      (self.queue, self.grant, self.head) = (queue, grant, head)
    }
  }
}

extension ChangedRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    var sums: PlaceSums?
    if let bytes = try reader.optional("sums", .bytes(atMost: ProtocolLimits.placeSums * 8)) {
      sums = PlaceSums(bytes: bytes)
      if sums == nil { throw MessageError(.invalidValue, at: "sums") }
    }
    let waitSeconds = try reader.required("waitSeconds", .count(in: 0...ProtocolLimits.waitSeconds))
    let watched: [WatchedQueue]? = try reader.optional(
      "watched", .list(.message, atMost: ProtocolLimits.watchedQueues))
    self.init(sums: sums, waitSeconds: waitSeconds, watched: watched ?? [])
    // Each queue once, so that an answer is no larger than the queues.
    if Set(self.watched.map(\.queue)).count < self.watched.count { throw MessageError(.invalidValue, at: "watched") }
  }

  package var json: JSONValue {
    [
      "sums": sums.map { .base64($0.bytes) } ?? .null, "waitSeconds": .count(waitSeconds), "watched": .list(watched),
    ]
  }
}

extension ChangedAnswer: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      time: try reader.required("time", .timestamp),
      ranges: try reader.required(
        "ranges", .list(.count(in: 0...ProtocolLimits.placeSums - 1), atMost: ProtocolLimits.placeSums)),
      places: try reader.required("places", .list(.message, atMost: ProtocolLimits.changedPlaces)),
      signals: try reader.required("signals", .list(.message, atMost: ProtocolLimits.watchedQueues)))
  }

  package var json: JSONValue {
    [
      "time": .time(time), "ranges": .array(ranges.map { .count($0) }), "places": .list(places),
      "signals": .list(signals),
    ]
  }
}

extension ChangedAnswer.Head: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .id()), grant: try reader.required("grant", .id()),
      head: try reader.required("head", .revision))
  }

  package var json: JSONValue {
    ["queue": .id(queue), "grant": .id(grant), "head": .int64(head)]
  }
}
