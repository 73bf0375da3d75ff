// Reading a queue without a store: for a widget, a bot or a script.

package import JSON
package import WireFormat

/// One read of a queue's objects, perhaps only of some types. It leaves nothing on the server, and settles no
/// operation.
package struct ObjectsRequest: Hashable, Sendable {
  package var queue: QueueID
  /// At most `ProtocolLimits.types`; nil for every type.
  package var types: [String]?
  /// The history of the previous page, as `cursor` and `scan` are its values; nil in the first request.
  package var history: HistoryID?
  package var cursor: Int64?
  package var scan: ScanCursor?
  /// The most objects that the server looks at, those of other types included; nil for `ProtocolLimits.pageObjects`.
  package var limit: Int?

  package init(
    queue: QueueID, types: [String]? = nil, history: HistoryID? = nil, cursor: Int64? = nil, scan: ScanCursor? = nil,
    limit: Int? = nil
  ) {
    self.queue = queue
    self.types = types
    self.history = history
    self.cursor = cursor
    self.scan = scan
    self.limit = limit
  }
}

/// A page of objects. The read is complete if `scan` is nil and `cursor` is `head`.
package struct ObjectsPage: Hashable, Sendable {
  /// The server's clock.
  package var time: Timestamp
  /// The server's history.
  package var history: HistoryID
  /// The newest revision of the queue.
  package var head: Int64
  /// The cursor of the next request.
  package var cursor: Int64
  /// How far the scan has come; nil if it is complete, and outside of a scan.
  package var scan: ScanCursor?
  package var objects: [ObjectState]

  package init(
    time: Timestamp, history: HistoryID, head: Int64, cursor: Int64, scan: ScanCursor? = nil, objects: [ObjectState]
  ) {
    self.time = time
    self.history = history
    self.head = head
    self.cursor = cursor
    self.scan = scan
    self.objects = objects
  }
}

extension ObjectsRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .id()),
      types: try reader.optional("types", .list(.typeName, atMost: ProtocolLimits.types)),
      history: try reader.optional("history", .id()),
      cursor: try reader.optional("cursor", .revision),
      scan: try reader.optional("scan", .message),
      limit: try reader.optional("limit", .count(in: 1...ProtocolLimits.pageObjects)))
    if scan != nil && cursor == nil { throw MessageError(.missing, at: "cursor") }
  }

  package var json: JSONValue {
    [
      "queue": .id(queue), "types": types.map { .list(texts: $0) } ?? .null, "history": .id(history),
      "cursor": .int64(cursor), "scan": .message(scan), "limit": .count(limit),
    ]
  }
}

extension ObjectsPage: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      time: try reader.required("time", .timestamp),
      history: try reader.required("history", .id()),
      head: try reader.required("head", .revision),
      cursor: try reader.required("cursor", .revision),
      scan: try reader.optional("scan", .message),
      objects: try reader.required("objects", .list(.message, atMost: ProtocolLimits.pageObjects)))
  }

  package var json: JSONValue {
    [
      "time": .time(time), "history": .id(history), "head": .int64(head), "cursor": .int64(cursor),
      "scan": .message(scan), "objects": .list(objects),
    ]
  }
}
