// Reading the objects of one model without a store: for a widget, a bot, a script.

import SyncProtocol
public import WireFormat

/// The objects of one model in one queue, read page by page.
///
/// First come those that are there, the newest first, then what changed. Bytes in, bytes out: how they travel is up to
/// whoever reads. The server keeps nothing of it, and nothing of a store is needed or touched.
public struct DeltaQuery<Object: Model>: Sendable {
  private let call = SyncCall.objects(ofType: Object.modelName)

  public init() {}

  /// The GraphQL operation, as `operations.graphql` has it beside the generated code.
  public var document: String { call.document }
  /// The name of the operation in the document, which the body has too.
  public var operationName: String { call.name }

  /// The body of a POST to the server's `/graphql`, of the media type `application/json`.
  ///
  /// Without a place it reads from the beginning. A page holds at most `limit` objects, of every model: those of other
  /// models are counted and left out. At most `ProtocolLimits.pageObjects`, which is also what nil means.
  public func request(_ queue: QueueID, after place: DeltaPlace? = nil, limit: Int? = nil) -> [UInt8] {
    call.body(
      ObjectsRequest(
        queue: queue.rawValue, epoch: place?.epoch, cursor: place?.cursor, scan: place?.scan, limit: limit))
  }

  /// Reads the body of an answer, whatever its status.
  ///
  /// Throws the server's `RequestError`: `forbidden` where the asker is no member of the queue, `reset` where the place
  /// is of another history or too old; then what was read is worth nothing, and reading begins again without a place.
  /// Throws a `MessageError` where something else than the server answered.
  public func page(_ answer: [UInt8]) throws -> Page {
    let page = try call.answer(answer)
    return Page(
      changes: page.objects.map { object in
        DeltaChange(object) { live throws(WireError) in
          live.type == Object.modelName ? try Object(id: ObjectID(object.id), blob: live.content) : nil
        }
      },
      place: DeltaPlace(epoch: page.epoch, cursor: page.cursor, scan: page.scan),
      isLast: page.scan == nil && page.cursor == page.head, time: page.time)
  }

  /// The content of one answer.
  public struct Page: Sendable {
    /// In this order: a later one is newer. One page has each object once; a later page may have it again.
    public var changes: [DeltaChange<Object>]
    /// Where the next request goes on.
    public var place: DeltaPlace
    /// Whether this is all that the server had; what comes after `place` has yet to happen.
    public var isLast: Bool
    /// The server's clock.
    public var time: Timestamp
  }
}
