// A page of the changes in a queue.

package import JSON
package import WireFormat

/// The answer for one queue of a delta request.
package struct DeltaAnswer: Hashable, Sendable {
  package var queue: QueueID
  /// The server's clock.
  package var time: Timestamp
  package var result: Result

  package init(queue: QueueID, time: Timestamp, result: Result) {
    self.queue = queue
    self.time = time
    self.result = result
  }

  /// A page, or the reason why there is none.
  package enum Result: Hashable, Sendable {
    case page(DeltaPage)
    case refused(QueueRefusal)
  }
}

/// A page of the changes in a queue. Objects and head are from one snapshot of the queue.
package struct DeltaPage: Hashable, Sendable {
  /// The grant of the asking user's membership.
  package var grant: GrantID
  /// The asking user's role.
  package var role: QueueRole
  /// The newest revision of the queue.
  package var head: Int64
  /// The cursor of the next request.
  package var cursor: Int64
  /// How far the scan has come; nil if it is complete, and outside of a scan.
  package var scan: ScanCursor?
  /// After a cursor: ascending by revision, each object once. In a scan: descending by `newestBy`, none deleted.
  package var objects: [ObjectState]
  /// Present on the last page. The client has then read up to `head`.
  package var end: End?

  package init(
    grant: GrantID, role: QueueRole, head: Int64, cursor: Int64, scan: ScanCursor? = nil,
    objects: [ObjectState], end: End? = nil
  ) {
    self.grant = grant
    self.role = role
    self.head = head
    self.cursor = cursor
    self.scan = scan
    self.objects = objects
    self.end = end
  }

  /// For a client that has read up to `head`: the outcomes that it awaits, and a digest to compare with its own.
  package struct End: Hashable, Sendable {
    /// Outcomes of the awaited operations. An operation that is missing here has no outcome on the server.
    package var outcomes: [OperationOutcome]
    /// Outcomes of operations that were first sent before this time may have been forgotten.
    package var retention: Timestamp
    /// The digest of the queue at `head`.
    package var digest: QueueDigest

    package init(outcomes: [OperationOutcome], retention: Timestamp, digest: QueueDigest) {
      self.outcomes = outcomes
      self.retention = retention
      self.digest = digest
    }
  }
}

extension DeltaAnswer: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    queue = try reader.required("queue", .id())
    time = try reader.required("time", .timestamp)
    if let refusal = try reader.optional("refusal", MessageField<QueueRefusal>.message) {
      result = .refused(refusal)
    } else {
      result = .page(try reader.required("page", .message))
    }
  }

  package var json: JSONValue {
    let (page, refusal): (JSONValue, JSONValue) =
      switch result {
      case .page(let page): (page.json, .null)
      case .refused(let refusal): (.null, refusal.json)
      }
    return ["queue": .id(queue), "time": .time(time), "page": page, "refusal": refusal]
  }
}

extension DeltaPage: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      grant: try reader.required("grant", .id()),
      role: try reader.required("role", .role),
      head: try reader.required("head", .revision),
      cursor: try reader.required("cursor", .revision),
      scan: try reader.optional("scan", .message),
      objects: try reader.required("objects", .list(.message, atMost: ProtocolLimits.pageObjects)),
      end: try reader.optional("end", .message))
  }

  package var json: JSONValue {
    [
      "grant": .id(grant), "role": .string(role.name), "head": .int64(head), "cursor": .int64(cursor),
      "scan": .message(scan), "objects": .list(objects), "end": .message(end),
    ]
  }
}

extension DeltaPage.End: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      outcomes: try reader.required("outcomes", .list(.message, atMost: ProtocolLimits.awaiting)),
      retention: try reader.required("retention", .timestamp),
      digest: try reader.required("digest", .message))
  }

  package var json: JSONValue {
    ["outcomes": .list(outcomes), "retention": .time(retention), "digest": digest.json]
  }
}
