// The long poll over all queues of a user, which does not name them.

package import WireFormat

/// Waits until any queue of the user is at another place than the client knows.
package struct ChangedAllRequest: Hashable, Sendable {
  package var sums: PlaceSums
  /// Queues to leave out, at most `ProtocolLimits.changedQueues`.
  package var except: [QueueID]
  /// At most `ProtocolLimits.waitSeconds`; 0 asks without waiting.
  package var waitSeconds: Int

  package init(sums: PlaceSums, except: [QueueID], waitSeconds: Int) {
    (self.sums, self.except, self.waitSeconds) = (sums, except, waitSeconds)
  }
}

/// A hint: the client compares places to find the queues that have something to fetch.
package struct ChangedAllAnswer: Hashable, Sendable {
  /// The server's clock.
  package var time: Timestamp
  /// The ranges in which a queue is at another place, ascending, but not always all of them. Empty if no such range is
  /// known.
  package var ranges: [Int]
  /// Every queue of these ranges of which the user is a member, except those that were left out.
  package var places: [Head]

  package init(time: Timestamp, ranges: [Int], places: [Head]) {
    (self.time, self.ranges, self.places) = (time, ranges, places)
  }

  package struct Head: Hashable, Sendable {
    package var queue: QueueID
    package var epoch: EpochID
    package var grant: GrantID
    package var head: Int64

    package init(queue: QueueID, epoch: EpochID, grant: GrantID, head: Int64) {
      (self.queue, self.epoch, self.grant, self.head) = (queue, epoch, grant, head)
    }
  }
}

extension ChangedAllRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    let bytes = try reader.required("sums", .bytes(atMost: ProtocolLimits.placeSums * 8))
    guard let sums = PlaceSums(bytes: bytes) else { throw MessageError(.invalidValue, at: "sums") }
    self.init(
      sums: sums,
      except: try reader.required("except", .list(.id(), atMost: ProtocolLimits.changedQueues)),
      waitSeconds: try reader.required("waitSeconds", .count(in: 0...ProtocolLimits.waitSeconds)))
  }

  package var json: JSONValue {
    ["sums": .base64(sums.bytes), "except": .list(texts: except), "waitSeconds": .count(waitSeconds)]
  }
}

extension ChangedAllAnswer: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      time: try reader.required("time", .timestamp),
      ranges: try reader.required(
        "ranges", .list(.count(in: 0...ProtocolLimits.placeSums - 1), atMost: ProtocolLimits.placeSums)),
      places: try reader.required("places", .list(.message, atMost: ProtocolLimits.changedPlaces)))
  }

  package var json: JSONValue {
    ["time": .time(time), "ranges": .array(ranges.map { .count($0) }), "places": .list(places)]
  }
}

extension ChangedAllAnswer.Head: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .id()), epoch: try reader.required("epoch", .id()),
      grant: try reader.required("grant", .id()), head: try reader.required("head", .revision))
  }

  package var json: JSONValue {
    ["queue": .id(queue), "epoch": .id(epoch), "grant": .id(grant), "head": .int64(head)]
  }
}
