// The request for what has changed in queues since the client last read them.

package import JSON
package import WireFormat

/// Asks what has changed in queues since the client last read them.
package struct DeltaRequest: Hashable, Sendable {
  /// At most `ProtocolLimits.deltaQueues`, each once.
  package var queues: [Queue]
  /// How many objects the answer may hold; nil for as many as the protocol allows.
  package var limit: Int?
  /// About how many bytes the objects of the answer may take, as `ProtocolLimits.answerBytes(ofContent:)` counts them;
  /// nil for as many as the protocol allows. The first object is sent whatever its size.
  package var bytes: Int?

  package init(queues: [Queue], limit: Int? = nil, bytes: Int? = nil) {
    self.queues = queues
    self.limit = limit
    self.bytes = bytes
  }

  /// The client's place in one queue. Without a cursor the queue is scanned. Each page gives the place for the next
  /// request.
  package struct Queue: Hashable, Sendable {
    package var queue: QueueID
    package var grant: GrantID?
    package var cursor: Int64?
    /// How far a scan has come. Needs the cursor that the first page of the scan gave.
    package var scan: ScanCursor?
    /// Operations that were sent, and whose outcomes the client does not have.
    ///
    /// All queues of a request together may have at most `ProtocolLimits.awaiting`.
    package var awaiting: [OperationID]

    package init(
      queue: QueueID, grant: GrantID? = nil, cursor: Int64? = nil, scan: ScanCursor? = nil,
      awaiting: [OperationID] = []
    ) {
      self.queue = queue
      self.grant = grant
      self.cursor = cursor
      self.scan = scan
      self.awaiting = awaiting
    }
  }
}

extension DeltaRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queues: try reader.required("queues", .list(.message, atMost: ProtocolLimits.deltaQueues)),
      limit: try reader.optional("limit", .count(in: 1...ProtocolLimits.pageObjects)),
      bytes: try reader.optional("bytes", .count(in: 1...ProtocolLimits.answerBytes)))
    let awaiting = queues.reduce(0) { $0 + $1.awaiting.count }
    if awaiting > ProtocolLimits.awaiting { throw MessageError(.tooLarge, at: "queues") }
  }

  package var json: JSONValue { ["queues": .list(queues), "limit": .count(limit), "bytes": .count(bytes)] }
}

extension DeltaRequest.Queue: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .id()),
      grant: try reader.optional("grant", .id()),
      cursor: try reader.optional("cursor", .revision),
      scan: try reader.optional("scan", .message),
      awaiting: try reader.optional("awaiting", .list(.id(), atMost: ProtocolLimits.awaiting)) ?? [])
    if scan != nil && cursor == nil { throw MessageError(.missing, at: "cursor") }
  }

  package var json: JSONValue {
    [
      "queue": .id(queue), "grant": .id(grant), "cursor": .int64(cursor), "scan": .message(scan),
      "awaiting": .list(texts: awaiting),
    ]
  }
}
