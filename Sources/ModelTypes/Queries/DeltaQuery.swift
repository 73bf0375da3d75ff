// Reads the objects of one model without a store, for a widget, a bot or a script.

import SyncProtocol
public import WireFormat

/// The objects of one model in one queue, read page by page.
///
/// First come the objects that are there, the newest first, then changes. The query makes and reads bytes; the caller
/// sends them. The server keeps nothing of it, and no store is needed or touched.
public struct DeltaQuery<Object: Model>: Sendable {
  private let call = SyncCall.objects(ofType: Object.modelName)
  private let schema: any SchemaDescription.Type

  /// `schema` is the one that the model is of.
  public init(of schema: any SchemaDescription.Type) { self.schema = schema }

  /// The GraphQL operation, as `operations.graphql` has it beside the generated code.
  public var document: String { call.document }
  /// The name of the operation in the document; the body has it too.
  public var operationName: String { call.name }

  /// The body of a POST to the server's `/graphql`, of the media type `application/json`.
  ///
  /// Without a place it reads from the beginning. A page counts at most `limit` objects, those of other models too,
  /// which it leaves out. `limit` is at most `ProtocolLimits.pageObjects`, which is also what nil means.
  public func request(_ queue: QueueID, after place: DeltaCursor? = nil, limit: Int? = nil) -> [UInt8] {
    call.body(
      ObjectsRequest(
        queue: queue, history: place?.history, cursor: place?.cursor, scan: place?.scan, limit: limit),
      schema: schema.name, version: schema.schemaVersion)
  }

  /// Reads the body of an answer, whatever its status.
  ///
  /// Throws the server's `RequestError`: `forbidden` if the asker is no member of the queue, `reset` if the place is of
  /// another history or too old. After `reset` the reader drops what it has read, and begins again without a place.
  /// Throws a `MessageError` if something else than the server answered.
  public func page(_ answer: [UInt8]) throws -> Page {
    let page = try call.answer(answer)
    return Page(
      changes: page.objects.map { object in
        DeltaChange(object) { live throws(WireError) in
          live.type == Object.modelName ? try Object(id: ObjectID(object.id), blob: live.content) : nil
        }
      },
      place: DeltaCursor(history: page.history, cursor: page.cursor, scan: page.scan),
      isLast: page.scan == nil && page.cursor == page.head, time: page.time)
  }

  /// The content of one answer.
  public struct Page: Sendable {
    /// To be applied in this order. A page has each object once; a later page may have a newer state of it.
    public var changes: [DeltaChange<Object>]
    /// Where the next request goes on.
    public var place: DeltaCursor
    /// Whether this is all that the server had. Changes after `place` have yet to happen.
    public var isLast: Bool
    /// The server's clock.
    public var time: Timestamp
  }
}
