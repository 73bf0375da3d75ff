// Reading the objects of all models without a store, by the query that sync uses.

public import SyncProtocol
import WireFormat

/// The changes in queues, of every type. It never filters, so a reader that stores them keeps objects of newer schemas
/// too.
///
/// As with `DeltaQuery`, it makes and reads bytes, and the caller sends them. The requests and answers are those of the
/// sync protocol, of many queues at once.
public struct SchemaDeltaQuery: Sendable {
  private let schema: any SchemaDescription.Type
  private let models: [String: any Model.Type]

  /// Objects of models that the schema does not have are `unknown` changes.
  public init(of schema: any SchemaDescription.Type) {
    self.schema = schema
    models = Dictionary(schema.models.map { ($0.modelName, $0) }) { first, _ in first }
  }

  /// The GraphQL operation, as `operations.graphql` has it beside the generated code.
  public var document: String { SyncCall.delta.document }
  /// The name of the operation in the document; the body has it too.
  public var operationName: String { SyncCall.delta.name }

  /// The body of a POST to the server's `/graphql`, of the media type `application/json`.
  public func request(_ request: DeltaRequest) -> [UInt8] { SyncCall.delta.body(request, schema: schema.name) }

  /// Reads the body of an answer, whatever its status. Throws the server's `RequestError`, or a `MessageError` where
  /// something else than the server answered.
  public func answers(_ answer: [UInt8]) throws -> [DeltaAnswer] { try SyncCall.delta.answer(answer) }

  /// The objects of a page, in its order, as values of their models.
  public func changes(in page: DeltaPage) -> [DeltaChange<any Model>] {
    page.objects.map { object in
      DeltaChange(object) { live throws(WireError) in
        guard let model = models[live.type] else { return nil }
        return try read(model, object.id, live.content)
      }
    }
  }

  private func read<Object: Model>(
    _ model: Object.Type, _ id: UUIDValue, _ content: [UInt8]
  ) throws(WireError) -> any Model {
    try Object(id: ObjectID(id), blob: content)
  }
}
